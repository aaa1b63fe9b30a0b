/** A client generator, its usage, and a program that uses the generated client. */
export interface Kit {
  readonly name: string
  readonly version: string
  readonly language: string
  /** Faults of the generator that the recipe works around. */
  readonly faults?: readonly Fault[]
  /** Required commands. */
  readonly needs: readonly string[]
  /** The form of the contract that it reads, in the working folder of all commands. */
  readonly form: 'openapi.sdk.yaml' | 'openapi.sdk31.yaml'
  /** Files in the working folder by name: a program of `programs/`, or a text. */
  readonly files: Readonly<Record<string, { readonly program: string } | { readonly text: string }>>
  readonly install: readonly string[]
  readonly generate: readonly string[]
  readonly compile: readonly string[]
  readonly run: string
}

/** A fault of a generator, in Markdown. */
export interface Fault {
  readonly what: string
  readonly workaround: string
  /** The issue in its tracker; undefined if none was found. */
  readonly issue?: string
}

/** Bodies that programs read from a file, since literals in their language would be less readable. */
export const BODIES = {
  'page.json': { program: 'page.json' },
  'by_title.json': { program: 'by_title.json' },
  'by_nothing.json': { program: 'by_nothing.json' },
} as const
