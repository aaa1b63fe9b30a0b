/** A generator of clients, how it is used, and a program that uses what it makes. */
export interface Kit {
  readonly name: string
  readonly version: string
  readonly language: string
  /** Faults of the generator that the recipe works around. */
  readonly faults?: readonly Fault[]
  /** Commands that must be there. */
  readonly needs: readonly string[]
  /** The form of the contract that it reads, in the folder in which all commands run. */
  readonly form: 'openapi.sdk.yaml' | 'openapi.sdk31.yaml'
  /** Files beside it: what they are called there, and in `programs/`; those without a program are given in words. */
  readonly files: Readonly<Record<string, { readonly program: string } | { readonly text: string }>>
  readonly install: readonly string[]
  readonly generate: readonly string[]
  readonly compile: readonly string[]
  readonly run: string
}

/** What a generator gets wrong, in Markdown. */
export interface Fault {
  readonly what: string
  readonly workaround: string
  /** Where its makers discuss it; undefined if nothing of theirs was found. */
  readonly issue?: string
}

/** Bodies that programs read where literals of their language would say less. */
export const BODIES = {
  'page.json': { program: 'page.json' },
  'by_title.json': { program: 'by_title.json' },
  'by_nothing.json': { program: 'by_nothing.json' },
} as const
