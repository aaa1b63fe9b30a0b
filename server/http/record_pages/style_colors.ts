interface Shades {
  /** Colors of text, and of backgrounds, in light and dark mode. Each text has a contrast of at least 4.5 on each background. */
  readonly text: readonly [light: string, dark: string]
  readonly ground: readonly [light: string, dark: string]
}

const COLORS: Readonly<Record<string, Shades>> = {
  gray: { text: ['#5b6570', '#a7b0ba'], ground: ['#eceef1', '#2a3037'] },
  brown: { text: ['#7a4b2a', '#d4a373'], ground: ['#f3eae3', '#362a22'] },
  orange: { text: ['#984600', '#f0a35e'], ground: ['#fdebdc', '#3a2a1a'] },
  yellow: { text: ['#775600', '#e3c055'], ground: ['#faf0c9', '#37301a'] },
  green: { text: ['#1a6b3c', '#6fcf97'], ground: ['#e2f3e8', '#1c3326'] },
  blue: { text: ['#1c5bb5', '#82b1ff'], ground: ['#e3eefc', '#1b2c47'] },
  purple: { text: ['#6b3fa0', '#c7a6f5'], ground: ['#efe6fa', '#2d2440'] },
  pink: { text: ['#a3266b', '#f29ac4'], ground: ['#fbe4ef', '#3a2030'] },
  red: { text: ['#b3261e', '#ff9c94'], ground: ['#fde7e4', '#3a1d1b'] },
}

function variables(shade: 0 | 1): string {
  return Object.entries(COLORS)
    .map(([name, { text, ground }]) => `--${name}: ${text[shade]}; --${name}-bg: ${ground[shade]};`)
    .join(' ')
}

const classes = Object.keys(COLORS).map(
  (name) =>
    `.c-${name} { color: var(--${name}); } .bg-${name} { background: var(--${name}-bg); } .dot-${name} { color: var(--${name}); }`,
)
const shares = Array.from({ length: 20 }, (_none, index) => `.share-${index + 1} { flex-grow: ${index + 1}; }`)

/** The parts of code, as the highlighter names them. */
const CODE = `
.hljs-comment, .hljs-quote { color: var(--soft); font-style: italic; }
.hljs-keyword, .hljs-selector-tag, .hljs-section, .hljs-name, .hljs-meta .hljs-keyword { color: var(--purple); }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-char { color: var(--green); }
.hljs-number, .hljs-literal, .hljs-symbol, .hljs-bullet { color: var(--orange); }
.hljs-title, .hljs-built_in, .hljs-type { color: var(--blue); }
.hljs-attr, .hljs-attribute, .hljs-variable, .hljs-property, .hljs-template-variable { color: var(--brown); }
.hljs-meta, .hljs-doctag { color: var(--pink); }
.hljs-deletion { color: var(--red); }
.hljs-emphasis { font-style: italic; }
.hljs-strong { font-weight: 700; }
`

/** The colors of texts, blocks, options and code, and the widths of columns. */
export const colorRules = `
:root { ${variables(0)} }
@media (prefers-color-scheme: dark) { :root { ${variables(1)} } }
${classes.join('\n')}
.dot-lightgray { color: var(--line); }
${shares.join('\n')}
${CODE}`
