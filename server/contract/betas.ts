import type { ContractDocument, JsonSchema } from './contract_document.ts'

/** A beta makes the contract stricter: it changes only the document that requests are validated against. */
export interface Beta {
  readonly name: string
  /** Date of the current revision, the only one that is accepted. */
  readonly revision: string
  /** The oldest release date with which it can be used. */
  readonly minimumVersion: string
  tighten(document: ContractDocument): void
}

interface RetiredBeta {
  readonly name: string
  /** Until this date the flag is accepted and ignored; after it, the flag is unknown. */
  readonly graceEnd: string
}

const STRICT_ID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

export const betas: readonly Beta[] = [
  {
    name: 'explicit-position',
    revision: '2026-05-20',
    minimumVersion: '2026-03-11',
    tighten(document) {
      const append = document.components.schemas['AppendBlockChildrenRequest']
      if (append) append['required'] = [...asList(append['required']), 'position']
    },
  },
  {
    name: 'strict-ids',
    revision: '2026-06-15',
    minimumVersion: '2022-06-28',
    tighten(document) {
      eachSchema(document, (schema) => {
        if (schema['x-expectation'] === 'a valid uuid') schema['pattern'] = STRICT_ID
      })
    },
  },
]

export const retiredBetas: readonly RetiredBeta[] = [{ name: 'markdown-pages', graceEnd: '2027-02-26' }]

/** The flag that switches a beta on. */
export function flagOf(beta: Beta): string {
  return `${beta.name}-${beta.revision}`
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function eachSchema(value: unknown, visit: (schema: JsonSchema) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as JsonSchema)
  for (const child of Object.values(value)) eachSchema(child, visit)
}
