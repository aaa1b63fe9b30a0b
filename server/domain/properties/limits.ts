/** Pages and people that one value of a page object names; the others are read property by property. */
export const REFERENCES_MAX = 25
