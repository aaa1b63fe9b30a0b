/** Step 7: reads the changes of each release date from `spec/versions/`, and writes the page about them. */

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Document } from './document.ts'
import { ContractFaults, forEachItem } from './faults.ts'
import { nameOf, parseYaml } from './files.ts'
import type { OperationRow } from './operations.ts'
import { parseSteps, type ReleaseStep } from './releases/steps.ts'
import { dereference } from './server/flatten.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { faultAt, locationsOfEntries } from './fault_locations.ts'

/** `elsewhere`: responses of other deployments, which the contract allows and no module of the server handles */
const kinds = ['request', 'response', 'both', 'availability', 'elsewhere'] as const

/** A change. `old` applies before the date of its release, `new` from then on. */
export interface VersionChange {
  /** `file:line:column` of the entry */
  location: string
  /** as in the modules of the server */
  id: string
  /** one line */
  about: string
  /** part of requests or responses */
  where: string
  old: string
  new: string
  /** operations that can show the difference, or `all` */
  operations: string[] | 'all'
  kind: (typeof kinds)[number]
  /** steps that turn the contract of this release into the previous contract */
  contract: ReleaseStep[]
}

export interface ReleaseSpec {
  date: string
  changes: VersionChange[]
}

/** Reads the releases in `folder`, one file each, named by its date; oldest first. Throws with every incomplete entry. */
export async function readReleases(folder: string): Promise<ReleaseSpec[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).toSorted()
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await readFile(join(folder, file), 'utf8') })))
  return forEachItem(texts, ({ file, text }) => {
    const path = join(folder, file)
    const known = readBefore.get(path)
    if (known?.text === text) return known.release
    const release = { date: basename(file, '.yaml'), changes: changesIn(path, text) }
    readBefore.set(path, { text, release })
    return release
  })
}

/** Cache of parsed files by their text. */
const readBefore = new Map<string, { readonly text: string; readonly release: ReleaseSpec }>()

function changesIn(path: string, text: string): VersionChange[] {
  const entries = parseYaml(path, text)
  if (!Array.isArray(entries)) throw new Error(`${nameOf(path)}  The file is not a list of changes.`)
  const locations = locationsOfEntries(path, text)
  return forEachItem(entries.entries(), ([index, entry]) => readChange(locations[index] ?? nameOf(path), entry))
}

function readChange(location: string, entry: unknown): VersionChange {
  if (!isObject(entry)) throw new Error(`${location}  an entry is not a map`)
  const text = (key: string): string => {
    const value = entry[key]
    if (typeof value !== 'string' || value === '') throw new Error(`${location}  ${String(entry['id'])} has no ${key}`)
    return value.trim()
  }
  const kind = kinds.find((known) => known === entry['kind'])
  if (kind === undefined) throw new Error(`${location}  ${text('id')} has no kind`)
  const { operations } = entry
  const named = Array.isArray(operations) ? operations.map(String) : operations === 'all' ? 'all' : undefined
  if (named === undefined) throw new Error(`${location}  ${text('id')} names no operations`)
  return {
    location,
    id: text('id'),
    about: text('about'),
    where: text('where'),
    old: text('old'),
    new: text('new'),
    operations: named,
    kind,
    contract: kind === 'availability' ? [] : parseSteps(`${location}  ${text('id')}`, entry['contract']),
  }
}

/**
 * Checks the releases against the contract: their dates are release dates, their operations exist, and `x-available` of operations matches
 * the entries of that kind. Throws with the differences of every release.
 */
export function checkReleases(releases: readonly ReleaseSpec[], document: Document, operations: readonly OperationRow[]): void {
  const dates = releaseDates(document)
  const ids = new Set(operations.map(({ id }) => id))
  forEachItem(releases, ({ date, changes }) => {
    if (!dates.includes(date)) throw new Error(`${changes[0]?.location ?? 'spec/versions'}  ${date} is not a release date`)
    const named = changes.flatMap(({ location, id, operations: names }) =>
      names === 'all' ? [] : names.map((name) => ({ location, id, name })),
    )
    forEachItem(named, ({ location, id, name }) => {
      if (!ids.has(name)) throw new Error(`${location}  ${id} names the operation ${name}, which does not exist.`)
    })
    const lines = changes
      .filter(({ kind }) => kind === 'availability')
      .flatMap(({ operations: names }) => (names === 'all' ? [...ids] : names))
    const declared = operations
      .filter(({ available }) => available.from === date || available.before === date)
      .map(({ id }) => id)
    const difference = new Set(lines).symmetricDifference(new Set(declared))
    const different = operations.filter(({ id }) => difference.has(id))
    if (different.length > 0)
      throw new ContractFaults(
        different.map(({ id, path, method }) =>
          faultAt(['paths', path, method, 'x-available'], `spec/versions/${date}.yaml and x-available differ about ${id}`),
        ),
      )
  })
}

/** Release dates that the contract names, oldest first. */
export function releaseDates(document: Document): string[] {
  const { schemas = {}, parameters = {} } = document.components
  const version = Object.values(parameters).find(({ name, required }) => name.endsWith('-Version') && required === true)
  const { enum: values = [] } = version?.schema === undefined ? {} : dereference(schemas, version.schema)
  return values.map(String)
}

/** `versions.md`: the page "What each version changed", newest release first. */
export function versionsPage(releases: readonly ReleaseSpec[]): string {
  const sections = releases.toReversed().map(({ date, changes }) => `## ${date}\n\n${changes.map(changeText).join('\n')}`)
  return `<!-- Made from spec/versions/ by \`npm run generate\`. Do not edit. -->

# What each version changed

A request names its release in \`Service-Version\`. The reference describes the newest release. The changes of each release
follow, newest first. A caller of an older version gets the old form of every change that is newer than its version, and the new form
of all others.

${sections.join('\n')}`
}

function changeText({ id, about, where, old, new: now, operations }: VersionChange): string {
  const names = operations === 'all' ? 'every operation' : operations.map((name) => `\`${name}\``).join(', ')
  const rows = [
    ['Where', where],
    ['Before', old],
    ['From this release on', now],
    ['Operations', names],
  ]
  const table = rows.map(([name, text = '']) => `| ${name} | ${text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')} |`)
  return `### ${id} · ${about}\n\n| | |\n|---|---|\n${table.join('\n')}\n`
}
