/** Most references that one value of a page object lists. The rest is available through the property item endpoint. */
export const REFERENCES_MAX = 25
