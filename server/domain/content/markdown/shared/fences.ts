/** The first line of code: its fence and what follows, in backticks or in tildes. */
export const FENCE = /^(?:(`{3,})([^`]*)|(~{3,})((?:[^~].*)?))$/
