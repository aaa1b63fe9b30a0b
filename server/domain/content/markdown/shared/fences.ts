/** Matches the first line of a code block: its fence, in backticks or in tildes, and what follows. */
export const FENCE = /^(?:(`{3,})([^`]*)|(~{3,})((?:[^~].*)?))$/
