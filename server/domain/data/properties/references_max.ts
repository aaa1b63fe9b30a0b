/** The maximum number of references that one value of a page object lists. The property item endpoint returns all of them. */
export const REFERENCES_MAX = 25
