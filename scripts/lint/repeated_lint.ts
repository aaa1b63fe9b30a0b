/** Redocly's lint of a root file and all that it leads to. After a change, it looks again only at what the change can affect. */

import {
  detectSpec,
  getMajorSpecVersion,
  getTypes,
  normalizeTypes,
  normalizeVisitors,
  resolveDocument,
  walkDocument,
  type Config,
  type Document as SourceDocument,
  type NormalizedNodeType,
  type NormalizedProblem,
  type ResolvedRefMap,
  type UserContext,
} from '@redocly/openapi-core'
import { referToTheSame } from '../generate/file_references.ts'
import { partOf, type ContractFiles } from '../generate/files.ts'
import { keysOfPointer } from '../generate/source_map.ts'
import { fileOfReference, Shortcuts, type ResolvedReference } from './shortcuts.ts'

/**
 * Types of what is looked at again only where it has changed, or what it leads to: each rule for them looks at one node and what that refers
 * to. Most of a contract has one of them. The rest is looked at each time, because some rules compare its parts.
 */
const LOCAL_TYPES: ReadonlySet<string> = new Set(['Schema', 'Example', 'Response', 'RequestBody', 'Header'])

/** The last lint. */
interface Linted {
  readonly root: SourceDocument
  readonly references: ResolvedRefMap
  /** the files but for the root, as they were read */
  readonly documents: ReadonlyMap<string, SourceDocument>
  /** file -> files that refer to it */
  readonly users: ReadonlyMap<string, readonly string[]>
  /** files to which others refer only as to something of the local types */
  readonly local: ReadonlySet<string>
  readonly problems: readonly NormalizedProblem[]
}

type Types = Record<string, NormalizedNodeType> & Record<'Root', NormalizedNodeType>

export class RepeatedLint {
  readonly #config: Config
  #last: Linted | undefined

  constructor(config: Config) {
    this.#config = config
  }

  /** @param root the root file: the same object as long as it says the same */
  async problems(root: SourceDocument, files: ContractFiles): Promise<readonly NormalizedProblem[]> {
    const last = this.#last
    this.#last = undefined // in case of an error
    this.#last = (last && (await this.#again(last, root, files))) ?? (await this.#anew(root, files))
    return this.#last.problems
  }

  async #anew(root: SourceDocument, files: ContractFiles): Promise<Linted> {
    const { Root: rootType } = this.#types(root)
    const references = await resolveDocument({ rootDocument: root, rootType, externalRefResolver: files })
    const roles = new Map<string, Set<string>>()
    const problems = this.#walk(root, references, roles)
    const local = [...roles].filter(([, types]) => types.isSubsetOf(LOCAL_TYPES)).map(([file]) => file)
    return { root, references, ...graphOf(references, files), local: new Set(local), problems }
  }

  /** Undefined if the root or references have changed, or some are broken. */
  async #again(last: Linted, root: SourceDocument, files: ContractFiles): Promise<Linted | undefined> {
    if (root !== last.root || ![...last.references.values()].every(isPlain)) return undefined
    const changed = new Map<SourceDocument, SourceDocument>()
    for (const [file, was] of last.documents) {
      const is = files.known(file) ?? (await files.read(file))
      if (is === was) continue
      if (is === undefined || !referToTheSame(was.parsed, is.parsed)) return undefined
      changed.set(was, is)
    }
    if (changed.size === 0) return last
    const affected = withUsers([...changed.keys()].map(fileOf), last.users)
    const references = new Map([...last.references].map(([id, found]) => [id, moved(found, changed)]))
    const shortcuts = new Shortcuts(references, fileOf(root), (file) => last.local.has(file) && !affected.has(file))
    const isNew = ({ location: [place] }: NormalizedProblem): boolean =>
      place === undefined || shortcuts.walked.has(place.source.absoluteRef)
    const found = this.#walk(root, shortcuts)
    const problems = [...last.problems.filter((problem) => !isNew(problem)), ...found.filter(isNew)]
    const documents = new Map([...last.documents].map(([file, was]) => [file, changed.get(was) ?? was]))
    return { ...last, references, documents, problems }
  }

  /** @param roles takes the names of the types as which others refer to a file */
  #walk(document: SourceDocument, references: ResolvedRefMap, roles?: Map<string, Set<string>>): NormalizedProblem[] {
    const specVersion = detectSpec(document.parsed)
    const types = this.#types(document)
    const { Root: rootType } = types
    const rules = this.#rules(document)
    const visitors = normalizeVisitors(roles === undefined ? rules : [...rules, collectorOf(roles)], types)
    if (references instanceof Shortcuts)
      for (const { enter, leave } of Object.values(visitors))
        for (const visitor of [...enter, ...leave]) references.letAsk(visitor)
    const ctx = { problems: [], specVersion, config: this.#config, visitorsData: {} }
    walkDocument({ document, rootType, normalizedVisitors: visitors, resolvedRefMap: references, ctx })
    return ctx.problems.map((problem) => this.#config.addProblemToIgnore(problem))
  }

  #types({ parsed }: SourceDocument): Types {
    const version = detectSpec(parsed)
    return normalizeTypes(this.#config.extendTypes(getTypes(version), version), this.#config) as Types // all versions have a root
  }

  #rules({ parsed }: SourceDocument) {
    const version = detectSpec(parsed)
    const sets = this.#config.getRulesForSpecVersion(getMajorSpecVersion(version))
    return sets.flatMap((set) =>
      Object.entries(set).flatMap(([ruleId, rule]) => {
        const settings = this.#config.getRuleSettings(ruleId, version)
        const { severity, message } = settings
        if (severity === 'off') return []
        const fixed = { ruleId, severity, ...(message !== undefined && { message }) }
        return [rule(settings)].flat().map((visitor) => ({ ...fixed, visitor }))
      }),
    )
  }
}

const fileOf = ({ source }: SourceDocument): string => source.absoluteRef

/** Whether a reference leads to a place in a file, and not on from there. */
const isPlain = ({ resolved, chain = [] }: ResolvedReference): boolean => resolved && chain.length === 0

/** A reference to a file that has changed, as it is now. */
function moved(found: ResolvedReference, changed: ReadonlyMap<SourceDocument, SourceDocument>): ResolvedReference {
  const document = found.resolved ? changed.get(found.document) : undefined
  if (!found.resolved || document === undefined) return found
  return { ...found, document, node: partOf(document.parsed, keysOfPointer(found.nodePointer)) }
}

function graphOf(references: ResolvedRefMap, files: ContractFiles): Pick<Linted, 'documents' | 'users'> {
  const documents = new Map<string, SourceDocument>()
  const users = new Map<string, string[]>()
  for (const [id, { document, isRemote }] of references) {
    const user = fileOfReference(id)
    const known = files.known(user)
    if (known !== undefined) documents.set(user, known)
    if (document === undefined || !isRemote) continue
    documents.set(fileOf(document), document)
    users.set(fileOf(document), [...(users.get(fileOf(document)) ?? []), user])
  }
  return { documents, users }
}

function withUsers(files: readonly string[], users: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set(files)
  // Iterating over a set includes items added meanwhile.
  for (const file of reached) for (const user of users.get(file) ?? []) reached.add(user)
  return reached
}

/** A visitor that collects as what others refer to a file. */
function collectorOf(roles: Map<string, Set<string>>) {
  const enter: RefVisit = (_node, { type }, { location }) => {
    const file = location?.source.absoluteRef
    if (file !== undefined) roles.set(file, (roles.get(file) ?? new Set()).add(type.name))
  }
  return { ruleId: 'roles', severity: 'error' as const, visitor: { ref: { enter } } }
}

type RefVisit = (
  node: unknown,
  context: UserContext,
  resolved: { readonly location: UserContext['location'] | undefined },
) => void
