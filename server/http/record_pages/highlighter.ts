import type { CodeLanguage } from '../../../generated/types.ts'
import { Html } from '../oauth/html.ts'
import { highlightLanguages } from './highlight_languages.ts'

/** Longer code is not highlighted: the expressions of some languages take very long for hostile text. */
const CODE_LENGTH_MAX = 10_000
const CODE_LENGTH_SUM_MAX = 50_000

/** Highlights the code on one page, up to a limit. */
export class Highlighter {
  #lengthLeft = CODE_LENGTH_SUM_MAX

  /** @returns undefined for a language without rules, and for code that is too long */
  highlight(code: string, language: string): Html | undefined {
    const rules = RULES[language as CodeLanguage]
    if (rules === null || rules === undefined || code.length > Math.min(CODE_LENGTH_MAX, this.#lengthLeft)) return undefined
    this.#lengthLeft -= code.length
    // The library escapes the code itself.
    return new Html(highlightLanguages().highlight(code, { language: rules, ignoreIllegals: true }).value)
  }
}

/** The rules for each language of the contract; null if it has none. */
const RULES: Readonly<Record<CodeLanguage, string | null>> = {
  abap: null,
  abc: null,
  agda: null,
  arduino: 'arduino',
  'ascii art': null,
  assembly: 'x86asm',
  bash: 'bash',
  basic: 'basic',
  bnf: 'bnf',
  c: 'c',
  'c#': 'csharp',
  'c++': 'cpp',
  clojure: 'clojure',
  coffeescript: 'coffeescript',
  coq: 'coq',
  css: 'css',
  dart: 'dart',
  dhall: null,
  diff: 'diff',
  docker: 'dockerfile',
  ebnf: 'ebnf',
  elixir: 'elixir',
  elm: 'elm',
  erlang: 'erlang',
  'f#': 'fsharp',
  flow: 'javascript',
  fortran: 'fortran',
  gherkin: 'gherkin',
  glsl: 'glsl',
  go: 'go',
  graphql: 'graphql',
  groovy: 'groovy',
  haskell: 'haskell',
  hcl: null,
  html: 'xml',
  idris: null,
  java: 'java',
  javascript: 'javascript',
  json: 'json',
  julia: 'julia',
  kotlin: 'kotlin',
  latex: 'latex',
  less: 'less',
  lisp: 'lisp',
  livescript: 'livescript',
  'llvm ir': 'llvm',
  lua: 'lua',
  makefile: 'makefile',
  markdown: 'markdown',
  markup: 'xml',
  matlab: 'matlab',
  mathematica: null,
  mermaid: null,
  nix: 'nix',
  'service formula': null,
  'objective-c': 'objectivec',
  ocaml: 'ocaml',
  pascal: 'delphi',
  perl: 'perl',
  php: 'php',
  'plain text': null,
  powershell: 'powershell',
  prolog: 'prolog',
  protobuf: 'protobuf',
  purescript: 'haskell',
  python: 'python',
  r: 'r',
  racket: 'scheme',
  reason: 'reasonml',
  ruby: 'ruby',
  rust: 'rust',
  sass: 'scss',
  scala: 'scala',
  scheme: 'scheme',
  scss: 'scss',
  shell: 'bash',
  smalltalk: 'smalltalk',
  solidity: null,
  sql: 'sql',
  swift: 'swift',
  toml: 'ini',
  typescript: 'typescript',
  'vb.net': 'vbnet',
  verilog: 'verilog',
  vhdl: 'vhdl',
  'visual basic': 'vbnet',
  webassembly: 'wasm',
  xml: 'xml',
  yaml: 'yaml',
  'java/c/c++/c#': 'java',
}
