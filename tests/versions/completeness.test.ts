import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publicContract } from '../harness/contract.ts'
import { readReleases } from '../../scripts/generate/versions.ts'
import { releaseDates } from '../../server/versions/index.ts'
import { allChanges } from './support.ts'

const releases = await readReleases(join(import.meta.dirname, '../../spec/versions'))

/** Without responses of other deployments. */
const changesOfServer = releases.flatMap(({ date, changes }) =>
  changes.filter(({ kind }) => kind !== 'elsewhere').map((change) => ({ date, ...change })),
)

describe('modules of changes and spec/versions', () => {
  // If you are here because the two lists differ: each change in spec/versions has a module in server/versions with its id, and
  // each module an entry there.
  it('contain a module for every change and an entry for every module', () => {
    const ids = changesOfServer.map(({ id }) => id)
    expect(ids).toStrictEqual([...new Set(ids)])
    expect([...new Set(allChanges.map(({ change }) => change.id))].toSorted()).toStrictEqual(ids.toSorted())
  })

  it.each(changesOfServer)('place $id under $date', ({ id, date, kind }) => {
    const parts = allChanges.filter(({ change }) => change.id === id)
    expect(parts[0]?.date).toBe(date)
    // A change of older responses may affect one direction only. A later part belongs to the release that still accepted the older form.
    expect(parts.every((part) => part.date >= date)).toBe(true)
    const upgrades = parts.some(({ change }) => change.upgrade !== undefined || change.ignoresUnknownKeys === true)
    const downgrades = parts.some(({ change }) => change.downgrade !== undefined)
    if (kind === 'request') expect([upgrades, downgrades]).toStrictEqual([true, false])
    if (kind === 'availability') expect([upgrades, downgrades]).toStrictEqual([false, false])
    if (kind === 'response') expect(upgrades || downgrades).toBe(true)
  })

  // If you are here because a file is listed: behavior that depends on the release date belongs in a change in server/versions; everything
  // else only knows the newest release.
  /** Betas begin with a release; webhook payloads have separate versions. */
  const DATED: ReadonlySet<string> = new Set(['contract/betas.ts', 'domain/events/webhooks/api_versions.ts'])

  it('are the only files of the server with release dates, except for betas and webhook payloads', () => {
    const folder = join(import.meta.dirname, '../../server')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('versions/') && !DATED.has(file),
    )
    const knowing = files.filter((file) =>
      releaseDates.some((date) => new RegExp(`${date}(?!T)`).test(readFileSync(join(folder, file), 'utf8'))),
    )
    expect(files.length).toBeGreaterThan(60)
    expect(knowing).toStrictEqual([])
  })

  // If you are here because a release is new: it needs its date in the enum ReleaseDate, a file in spec/versions, and a module
  // in server/versions.
  it('have the release dates of the contract, oldest first', () => {
    const { enum: dates } = publicContract().components.schemas['ReleaseDate'] as { enum: string[] }
    expect(releaseDates).toStrictEqual(dates)
    expect(releaseDates).toStrictEqual(releaseDates.toSorted())
    expect(releases.map(({ date }) => date)).toStrictEqual(releaseDates.slice(1))
  })
})
