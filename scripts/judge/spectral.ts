/**
 * Spectral's own rules for OpenAPI. Most of them check every node of a document in which all references are resolved, which takes far too
 * long with nested unions. So each rule gets a form of the contract that it can handle.
 */

import { readFile } from 'node:fs/promises'
import core from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import references from '@stoplight/spectral-ref-resolver'
import rulesets from '@stoplight/spectral-rulesets'
import type { Document } from '../generate/document.ts'
import type { JudgeFinding, Judge } from './judge.ts'
import { withOnlySchemaReferences, withWholeSchemas } from './spectral_forms.ts'

const oas = { extends: [], ...rulesets.oas }
/** This rule compiles the schema of each example, with everything that it refers to. */
const OF_EXAMPLES = 'oas3-valid-media-example'
const ofReferences = Object.entries(oas.rules).flatMap(([name, rule]) => ('resolved' in rule && !rule.resolved ? [name] : []))

/** Spectral's ruleset `oas`, as it ships: every recommended rule. */
export const spectral: Judge = {
  name: 'Spectral',
  async find(bundle) {
    const document: Document = JSON.parse(await readFile(bundle.replace(/yaml$/, 'json'), 'utf8'))
    const others = Object.keys(oas.rules).filter((name) => name !== OF_EXAMPLES && !ofReferences.includes(name))
    return [
      ...(await findBy(ofReferences, document, new core.Spectral())),
      ...(await findBy(others, withOnlySchemaReferences(document), withoutResolving())),
      ...(await findBy([OF_EXAMPLES], withWholeSchemas(document), withoutResolving())),
    ]
  },
}

function withoutResolving(): core.Spectral {
  return new core.Spectral({ resolver: new references.Resolver({ dereferenceInline: false, resolvers: {} }) })
}

async function findBy(names: readonly string[], document: Document, judge: core.Spectral): Promise<JudgeFinding[]> {
  const others = Object.keys(oas.rules).filter((name) => !names.includes(name))
  judge.setRuleset({ extends: [[oas, 'recommended']], rules: Object.fromEntries(others.map((name) => [name, 'off'])) })
  const found = await judge.run(new core.Document(JSON.stringify(document), parsers.Json))
  return found.map(({ code, message, path }) => ({ rule: String(code), message, location: path.join('/') }))
}
