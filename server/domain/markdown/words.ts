import type { CodeLanguage, Color } from '../../../generated/types.ts'

/** Colours as the dialect spells them; `default` is never written. */
const COLOR_WORDS: Readonly<Record<Exclude<Color, 'default'>, string>> = {
  gray: 'gray',
  brown: 'brown',
  orange: 'orange',
  yellow: 'yellow',
  green: 'green',
  blue: 'blue',
  purple: 'purple',
  pink: 'pink',
  red: 'red',
  default_background: 'default_bg',
  gray_background: 'gray_bg',
  brown_background: 'brown_bg',
  orange_background: 'orange_bg',
  yellow_background: 'yellow_bg',
  green_background: 'green_bg',
  blue_background: 'blue_bg',
  purple_background: 'purple_bg',
  pink_background: 'pink_bg',
  red_background: 'red_bg',
}

const COLORS = new Map<string, Color>([['default', 'default']])
for (const [color, word] of Object.entries(COLOR_WORDS) as [Color, string][]) COLORS.set(color, color).set(word, color)

/** @returns undefined for the default colour, which is not written */
export function colorWord(color: Color | undefined): string | undefined {
  return color === undefined || color === 'default' ? undefined : COLOR_WORDS[color]
}

export function colorOf(word: string): Color | undefined {
  return COLORS.get(word)
}

/** Every language of code blocks, with the other names that a fence may call it by. */
const LANGUAGES: Readonly<Record<CodeLanguage, readonly string[]>> = {
  abap: [],
  abc: [],
  agda: [],
  arduino: ['ino'],
  'ascii art': ['ascii'],
  assembly: ['asm', 'nasm'],
  bash: [],
  basic: [],
  bnf: [],
  c: ['h'],
  'c#': ['cs', 'csharp'],
  'c++': ['cpp', 'cc', 'cxx', 'hpp'],
  clojure: ['clj'],
  coffeescript: ['coffee'],
  coq: [],
  css: [],
  dart: [],
  dhall: [],
  diff: ['patch'],
  docker: ['dockerfile'],
  ebnf: [],
  elixir: ['ex', 'exs'],
  elm: [],
  erlang: ['erl'],
  'f#': ['fs', 'fsharp'],
  flow: [],
  fortran: ['f90'],
  gherkin: ['feature', 'cucumber'],
  glsl: [],
  go: ['golang'],
  graphql: ['gql'],
  groovy: ['gradle'],
  haskell: ['hs'],
  hcl: ['terraform', 'tf'],
  html: ['htm'],
  idris: ['idr'],
  java: [],
  javascript: ['js', 'jsx', 'mjs', 'cjs', 'node'],
  json: ['json5', 'jsonc'],
  julia: ['jl'],
  kotlin: ['kt', 'kts'],
  latex: ['tex'],
  less: [],
  lisp: ['cl', 'elisp'],
  livescript: ['ls'],
  'llvm ir': ['llvm'],
  lua: [],
  makefile: ['make', 'mk'],
  markdown: ['md'],
  markup: [],
  matlab: [],
  mathematica: ['wl'],
  mermaid: [],
  nix: [],
  'service formula': ['formula'],
  'objective-c': ['objc', 'objectivec'],
  ocaml: ['ml'],
  pascal: ['pas', 'delphi'],
  perl: ['pl'],
  php: [],
  'plain text': ['text', 'txt', 'plain', 'plaintext'],
  powershell: ['ps1', 'pwsh', 'ps'],
  prolog: [],
  protobuf: ['proto'],
  purescript: ['purs'],
  python: ['py', 'python3'],
  r: [],
  racket: ['rkt'],
  reason: ['re', 'reasonml'],
  ruby: ['rb'],
  rust: ['rs'],
  sass: [],
  scala: [],
  scheme: ['scm'],
  scss: [],
  shell: ['sh', 'zsh', 'console', 'shellscript'],
  smalltalk: ['st'],
  solidity: ['sol'],
  sql: ['postgresql', 'mysql', 'sqlite'],
  swift: [],
  toml: [],
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  'vb.net': ['vbnet'],
  verilog: ['sv', 'systemverilog'],
  vhdl: [],
  'visual basic': ['vb', 'vba'],
  webassembly: ['wasm', 'wat'],
  xml: ['svg', 'xsd', 'xslt'],
  yaml: ['yml'],
  'java/c/c++/c#': [],
}

const LANGUAGE_NAMES = new Map<string, CodeLanguage>()
for (const [language, others] of Object.entries(LANGUAGES) as [CodeLanguage, readonly string[]][]) {
  for (const name of [language, ...others]) LANGUAGE_NAMES.set(name, language)
}

/** The language behind the words of a fence; plain text where they say nothing known. */
export function languageOf(words: string): CodeLanguage {
  const name = words.trim().toLowerCase()
  return LANGUAGE_NAMES.get(name) ?? LANGUAGE_NAMES.get(name.split(/[\s{:,]/, 1)[0] ?? '') ?? 'plain text'
}
