import { readFileSync } from 'node:fs'
import type { WorkspaceClient } from '../../client/src/index.ts'
import { addEmoji, listEmojis } from '../domain/administration/emojis.ts'
import { createPerson, normalEmail } from '../domain/administration/people.ts'
import { idsOf, withChosenIds } from '../kernel/ids.ts'
import { findAccountByEmail } from '../store/accounts.ts'
import { findMember } from '../store/members.ts'
import type { CloneParts } from './clone_parts.ts'
import type { Transaction } from '../domain/database.ts'
import type { CloneTarget } from './clone_target.ts'
import { completeSchemas } from './complete_schemas.ts'
import { copyComments } from './copy_comments.ts'
import { copyViews, isNotServed } from './copy_views.ts'
import { FileCopier } from './file_copier.ts'
import { fillRecords } from './fill_records.ts'
import { listRecords } from './list_records.ts'
import { makeRecords } from './make_records.ts'
import type { ProgressFile } from './progress_file.ts'
import { RecordTree } from './record_tree.ts'
import { RequestForm, type SchemaDocument } from '../contract/request_form.ts'
import { ValueRewriter } from './value_rewriter.ts'

/** How far a clone is. */
export interface CloneProgress {
  /** @param count the records listed so far */
  listed(count: number): void
  /** @param share of the work that follows, from 0 to 1 */
  at(share: number): void
}

/** What a clone has. */
export interface CloneResult {
  readonly pages: number
  readonly databases: number
  readonly dataSources: number
  readonly people: number
}

/**
 * Copies everything that a token sees on a server of this protocol into a new local workspace. Each step is noted when it is finished, so
 * that a clone that was broken off can go on.
 *
 * records → pages, databases, data sources with their ids → schemas → values and blocks → views → comments
 */
export async function clone(
  source: WorkspaceClient,
  target: CloneTarget,
  progress: ProgressFile,
  report: CloneProgress,
): Promise<CloneResult> {
  const people = new Map<string, Person>()
  const emojis = new Set<string>()
  const tree = new RecordTree()
  const files = new FileCopier(target, progress)
  const rewriter = new ValueRewriter({
    personOf: (id) => people.get(id)?.id,
    hasEmoji: (id) => emojis.has(id),
    has: (id) => tree.has(id),
    upload: (file) => files.copy(file),
  })
  const parts = { source, target, progress, form: new RequestForm(contract()), rewriter, tree }
  await copyPeople(parts, people)
  await copyEmojis(parts, emojis)
  await listRecords(parts, report.listed)
  // Every record is made once and filled once.
  let done = 0
  const oneMore = (): void => report.at((done += 1) / (2 * tree.size))
  await makeRecords(parts, oneMore)
  await completeSchemas(parts)
  await fillRecords(parts, oneMore)
  await copyViews(parts)
  await copyComments(parts, (id) => people.get(id)?.name)
  const kinds = [...tree.kinds()]
  const countOf = (wanted: string): number => kinds.filter((kind) => kind === wanted).length
  return {
    pages: countOf('page'),
    databases: countOf('database'),
    dataSources: countOf('data_source'),
    people: people.size,
  }
}

interface Person {
  readonly id: string
  readonly name: string
}

function contract(): SchemaDocument {
  return JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'))
}

/** People become members, under their ids unless they have an account here. Without their e-mail addresses they cannot. */
async function copyPeople({ source, target, progress }: CloneParts, people: Map<string, Person>): Promise<void> {
  const workspaceId = progress.head?.workspaceId ?? ''
  try {
    for await (const user of source.each('listUsers')) {
      if (!('person' in user)) continue
      const [name, email] = [user.name ?? '', 'email' in user.person ? user.person.email : undefined]
      if (email === undefined) {
        progress.leaveOut('person', user.id, 'The token does not see their e-mail address.')
        continue
      }
      const step = `person ${user.id}`
      const made = progress.valueOf(step)
      const wishes = { workspaceId, email, name, role: 'member', avatarUrl: user.avatar_url, id: user.id } as const
      const id = made ?? (await target.service.database.write((db) => memberId(db, wishes)))
      if (made === undefined) progress.note(step, id)
      people.set(user.id, { id, name })
    }
  } catch (error) {
    if (!isNotServed(error)) throw error
    progress.leaveOut('people', progress.head?.source ?? '', 'The token may not list them.')
  }
}

/** The id of a member, who may be there already: as the owner of the clone. */
async function memberId(db: Transaction, wishes: Parameters<typeof createPerson>[1]): Promise<string> {
  const account = await findAccountByEmail(db, normalEmail(wishes.email))
  const member = account && (await findMember(db, wishes.workspaceId, account.id))
  return account && member?.left_time === null ? account.id : createPerson(db, wishes, Date.now())
}

async function copyEmojis({ source, target, progress }: CloneParts, emojis: Set<string>): Promise<void> {
  const workspaceId = progress.head?.workspaceId ?? ''
  const { database } = target.service
  const made = new Set(idsOf(await database.read((db) => listEmojis(db, workspaceId))))
  try {
    for await (const { id, name, url } of source.each('listCustomEmojis')) {
      const add = (db: Transaction): Promise<unknown> => addEmoji(db, workspaceId, name, url, Date.now())
      if (!made.has(id)) await withChosenIds({ custom_emoji: [id] }, () => database.write(add))
      emojis.add(id)
    }
  } catch (error) {
    if (!isNotServed(error)) throw error
    progress.leaveOut('custom emojis', progress.head?.source ?? '', 'The server does not list them.')
  }
}
