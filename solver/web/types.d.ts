// Types for `tsc --checkJs`; nothing of this runs. What the server answers is in docs/api.md.

type Props = Record<string, unknown>;
type Word = string | Record<string, string>;
type Facts = Record<string, unknown>;
type Start = string | Board;

/** A board as `show --json` has it. */
interface Board {
  num_cells: number;
  foundations: Record<string, number>;
  cells: (string | null)[];
  columns: string[][];
}

interface LegalAction {
  notation: string;
  from: string;
  to: string;
  count: number;
  cards: string[];
  like: string | null;
}

/** The answer of `play` and `deal`. */
interface Table {
  deal: string;
  dealer: string | null;
  notes: string[];
  start: Start;
  moves: string[];
  undoable: number;
  cells: number;
  board: Board;
  score: number;
  home: number;
  won: boolean;
  legal_move: boolean;
  actions: LegalAction[];
  tap: Record<string, string>;
  double_tap: Record<string, string>;
  done?: number;
  kind?: string;
  number?: number | null;
  dealer_note?: string | null;
  dealer_known?: boolean;
  fresh?: boolean;
}

interface Mark {
  notation: string;
  text: string;
  reason: string;
  verdict: string;
  distance: number | null;
  proven: boolean;
}

interface Loss {
  undos: number | null;
  within_undo: boolean | null;
  number: number | null;
  notation: string | null;
  text: string | null;
  from_start: boolean;
}

interface HintStep {
  notation: string;
  text: string;
  cards: string[];
  reason: string;
  distance: number;
}

interface HintAnswer {
  verdict: string;
  reason: string | null;
  distance: number | null;
  proven: boolean;
  hints: HintStep[];
  solution: string[] | null;
  loss: Loss | null;
}

interface ReviewedAction {
  number: number;
  notation: string;
  text: string;
  verdict: string;
  distance_before: number | null;
  distance_after: number | null;
  wasted: number | null;
  losing: boolean;
  score: number;
  better: { notation: string; cards: string[]; to: string; on: string | null; distance: number } | null;
}

interface Review {
  verdict: string;
  final_verdict: string;
  won: boolean;
  length: number;
  shortest: number | null;
  wasted: number;
  lost_by: number | null;
  score: number;
  actions: ReviewedAction[];
}

interface Part {
  length: number | null;
  proven: boolean;
  lower_bound: number;
}

interface Rating {
  cells: number;
  verdict: string;
  min_cells: number | null;
  min_certain: boolean;
  score: number | null;
  word: string | null;
  parts: (Record<string, number | null> & { plies: Part; actions: Part;
    players: Record<string, { games: number; wins: number; rate: number; error: number }> }) | null;
  percentiles: Record<string, number>;
}

interface SolverStatus {
  state: string;
  done: string[];
  step: string | null;
  progress: number;
  fault: string | null;
}

interface Status {
  version: string;
  role: string;
  lan: boolean;
  solver: SolverStatus;
  open: number;
}

/** A game as it is kept in the browser. */
interface Kept {
  id: string;
  name: string;
  dealer: string | null;
  start: Start;
  cells: number;
  moves: string[];
  at: number;
  undoable: number;
  mode: "app" | "analysis";
  won: boolean;
  score: number;
  time: number;
  warned?: boolean;
  kind?: string;
}

interface Settings {
  theme: string;
  contrast: boolean;
  fourColours: boolean;
  bigIndex: boolean;
  leftHanded: boolean;
  mirrored: boolean;
  still: boolean;
  tapHome: boolean;
  verdict: boolean;
  distance: boolean;
  marks: boolean;
  speed: number;
  language: string | null;
}

/** Everything the page shows. */
interface State {
  game: Kept | null;
  table: Table | null;
  picked: { place: string; cards: string[] } | null;
  check: { verdict: string } | null;
  marks: Mark[] | null;
  hint: HintAnswer | null;
  hintStep: number;
  review: Review | null;
  reviewed: string[] | null;
  solution: { line: string[]; index: number; playing: boolean } | null;
  status: Status | null;
  gone: boolean;
  asking: boolean;
  busy: string | null;
  wanted: { progress: number } | null;
  settings: Settings;
  catalogues: object[];
}
