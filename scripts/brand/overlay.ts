/** Checks and applies an OpenAPI Overlay. Its `x-brand` contains settings outside OpenAPI. */

import { readFile } from 'node:fs/promises'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { paths as pathsIn } from 'jsonpathly'
import { openapiOverlay } from 'openapi-format'
import type { Document } from '../generate/document.ts'
import { ContractFaults, faultsIn } from '../generate/faults.ts'
import { SourceFile, type FilePath } from './source.ts'
import { isObject } from '../../server/kernel/is_object.ts'

export interface Action {
  readonly target: string
  readonly update?: unknown
  readonly remove?: boolean
}

type OverlayOptions = Parameters<typeof openapiOverlay>[1]

/** The value of `x-brand`. `overlay.schema.json` describes its fields. */
export interface BrandSettings {
  readonly name: string
  readonly word: string
  readonly package?: string
  readonly schemas?: string
  readonly ids?: Readonly<Record<string, string>>
  readonly colours?: { readonly light: string; readonly dark: string }
  readonly logo?: string
  readonly guides?: { readonly folder?: string; readonly without?: readonly string[] }
}

export class Overlay {
  readonly source: SourceFile
  readonly brand: BrandSettings
  readonly #actions: readonly Action[]

  private constructor(source: SourceFile) {
    const { actions, 'x-brand': brand } = source.value as { actions: Action[]; 'x-brand': BrandSettings } // as its schema requires
    this.source = source
    this.brand = brand
    this.#actions = actions
  }

  /** Reads an overlay. @throws ContractFaults with the locations of all violations of its schema */
  static async read(file: string): Promise<Overlay> {
    const source = await SourceFile.read(file)
    const schema = JSON.parse(await readFile(new URL('overlay.schema.json', import.meta.url), 'utf8')) as object
    const validate = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(schema)
    if (!validate(source.value)) throw new ContractFaults((validate.errors ?? []).flatMap((error) => faultOf(source, error)))
    return new Overlay(source)
  }

  /**
   * Applies the actions to a copy of the newest contract.
   * @throws ContractFaults for a target that is not a JSONPath or matches nothing, a value of another type, and references to a removed
   *   part
   */
  apply(document: Document): Promise<Document> {
    return this.#applyTo(document, true)
  }

  /** Like `apply`, for the contract of an older release, which may lack the targets. */
  applyWhereItFits(document: Document): Promise<Document> {
    return this.#applyTo(document, false)
  }

  async #applyTo(document: Document, mustMatch: boolean): Promise<Document> {
    const faults: string[] = []
    let changed: unknown = structuredClone(document)
    for (const [location, action] of this.#actions.entries()) {
      try {
        changed = await this.#perform(changed, action, ['actions', location], mustMatch)
      } catch (error) {
        faults.push(...faultsIn(error))
      }
    }
    if (faults.length > 0) throw new ContractFaults(faults)
    return changed as Document // nothing referred to the removed parts, and merged values kept their types
  }

  async #perform(
    document: unknown,
    { target, update, remove }: Action,
    location: FilePath,
    mustMatch: boolean,
  ): Promise<unknown> {
    if (update === undefined && remove !== true)
      throw new ContractFaults([this.source.fault(location, 'The action has neither update nor remove.')])
    const at = (what: string): ContractFaults => new ContractFaults([this.source.fault([...location, 'target'], what)])
    const matches = matchesOf(document, target, at)
    if (matches.length === 0 && mustMatch) throw at(`Nothing in the contract matches ${target}.`)
    if (matches.length === 0) return document
    if (remove === true) {
      if (target === '$') throw at('The whole contract cannot be removed.')
      // From the end, so that the positions of the remaining matches do not change.
      const result = await applied(
        document,
        matches.toReversed().map((match) => ({ target: match, remove: true })),
      )
      const [needed] = danglingReferences(result)
      if (needed !== undefined) throw at(`${needed} refers to what ${target} removes.`)
      return result
    }
    const differencesOf = matches.find((match) => !fits(valueAt(document, match), update))
    if (differencesOf !== undefined)
      throw new ContractFaults([this.source.fault([...location, 'update'], `Its type differs from that of ${differencesOf}.`)])
    return applied(document, [{ target, update }])
  }
}

function faultOf(source: SourceFile, { instancePath, keyword, params, message = '', parentSchema, data }: ErrorObject): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  if (keyword === 'propertyNames') return []
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    return [source.fault([...path, name], `${name} is not a valid field here.`)]
  }
  const expectation: unknown = parentSchema?.['x-expectation']
  const words = keyword === 'pattern' && typeof expectation === 'string' ? `should be ${expectation}` : message
  return [source.fault(path, `${path.join('.') || 'The file'} ${words}, instead was ${shown(data)}.`)]
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The matches of a JSONPath, each as the path of a single value. */
function matchesOf(document: unknown, target: string, at: (what: string) => Error): string[] {
  try {
    return pathsIn(document as object, target)
  } catch (error) {
    throw at(`${target} is not a JSONPath: ${faultsIn(error).join()}`)
  }
}

function valueAt(document: unknown, path: string): unknown {
  return path === '$' ? document : keysIn(path).reduce<unknown>(memberOf, document)
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) ? value[key] : undefined
}

/** `$['paths'][0]` -> `['paths', '0']` */
function keysIn(path: string): string[] {
  return [...path.matchAll(/\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]/g)].map(
    ([, name, index]) => index ?? (name ?? '').replaceAll(/\\(.)/g, '$1'),
  )
}

/** An object can only be merged with an object, any value can be added to a list, and other values must have the same type. */
function fits(target: unknown, update: unknown): boolean {
  if (Array.isArray(target)) return true
  return isObject(target) ? isObject(update) : typeof target === typeof update
}

/**
 * Applies actions by the rules of Overlay 1.1, which defines cases that 1.0 leaves open: primitive targets and the concatenation of lists.
 */
async function applied(document: unknown, actions: readonly Action[]): Promise<unknown> {
  const options = { overlaySet: { overlay: '1.1.0', actions } } as OverlayOptions // validated
  return (await openapiOverlay(document, options)).data
}

/** The locations of references whose targets do not exist. */
function danglingReferences(document: unknown): string[] {
  const found: string[] = []
  const visit = (value: unknown, location: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' && typeof item === 'string' && !leadsSomewhere(document, item)) found.push(location)
      visit(item, `${location}/${key}`)
    }
  }
  visit(document, '#')
  return found
}

function leadsSomewhere(document: unknown, reference: string): boolean {
  if (!reference.startsWith('#/')) return true
  const keys = reference.slice(2).split('/')
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')).reduce<unknown>(memberOf, document) !== undefined
}
