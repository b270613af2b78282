/** The only way to the server. Every answer is JSON; what is refused becomes an `ApiError`. */

import { current } from "./words.js";

const CLIENT = Math.random().toString(36).slice(2);
const LONGEST_TEXT = 60_000;

export class ApiError extends Error {
  /** @param {string} key @param {string} text */
  constructor(key, text) {
    super(text);
    this.key = key;
  }
}

/** Nobody answers: the server has ended. */
export class GoneError extends Error {}

/** @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
async function request(path, init) {
  try {
    return await fetch(path, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new GoneError();
  }
}

/** @param {any} answer */
function refused(answer) {
  const error = answer?.error ?? {};
  return new ApiError(error.key ?? "error", error.text ?? "?");
}

/** @param {string} question @param {object} body @param {AbortSignal | undefined} signal @param {string} accept */
function send(question, body, signal, accept) {
  const text = JSON.stringify({ client: CLIENT, ...body });
  if (text.length > LONGEST_TEXT) throw new ApiError("web.too_long", "");
  return request(`api/${question}`, { method: "POST", body: text, signal,
    headers: { "Content-Type": "application/json", Accept: accept, "Accept-Language": current() } });
}

/**
 * One question, one answer.
 * @param {string} question @param {object} body @param {AbortSignal} [signal] @returns {Promise<any>}
 */
export async function ask(question, body, signal) {
  const response = await send(question, body, signal, "application/json");
  const answer = await response.json().catch(() => null);
  if (!response.ok || answer === null) throw refused(answer);
  return answer;
}

/**
 * A long question: progress as it comes, then the answer.
 * @param {string} question @param {object} body @param {(progress: any) => void} told @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function stream(question, body, told, signal) {
  const response = await send(question, body, signal, "application/x-ndjson");
  if (!response.ok || response.body === null) throw refused(await response.json().catch(() => null));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    let value, done;
    try {
      ({ value, done } = await reader.read());
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new GoneError();
    }
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop() ?? "";
    for (const line of lines) {
      if (!line.trim()) continue;
      const answer = JSON.parse(line);
      if (answer.error) throw refused(answer);
      if ("result" in answer) return answer.result;
      told(answer.progress ?? {});
    }
    if (done) throw new GoneError();
  }
}

/** @returns {Promise<Status>} */
export async function status() {
  const response = await request("api/status", {});
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw refused(answer);
  return answer;
}

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  const response = await request(path, {});
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw refused(answer);
  return answer;
}
