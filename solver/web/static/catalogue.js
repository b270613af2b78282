/** Catalogues of deals: what is in them, and a page of deals at a time. */

export function openCatalogues() {}
