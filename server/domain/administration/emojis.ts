import { newRecordId } from '../../kernel/ids.ts'
import { insertEmoji, listEmojisAfter, type EmojiRow } from '../../store/custom_emojis.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { AdministrationError } from '../shared/index.ts'

const NAME = /^[a-z0-9][a-z0-9_+-]{0,99}$/
const URL_LENGTH_MAX = 2000
const PAGE = 100

/**
 * Adds a custom emoji to a workspace. Its image is not copied.
 * @param url an absolute http or https address
 * @throws AdministrationError for an invalid name or address, or a name that is taken
 */
export async function addEmoji(db: Transaction, workspaceId: string, name: string, url: string, now: number): Promise<EmojiRow> {
  if (!NAME.test(name))
    throw new AdministrationError(
      'The name of an emoji must have 1 to 100 lower-case letters, digits, `_`, `+` or `-`, and begin with a letter or digit.',
    )
  if (url.length > URL_LENGTH_MAX || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new AdministrationError('The image of an emoji must be an absolute http or https address.')
  }
  const [taken] = await listEmojisAfter(db, workspaceId, name, undefined, 1)
  if (taken) throw new AdministrationError(`An emoji named ${name} already exists.`)
  const emoji = { id: newRecordId('custom_emoji'), name, url }
  await insertEmoji(db, workspaceId, emoji, now)
  return emoji
}

/** All custom emojis of a workspace, sorted by name. */
export async function listEmojis(db: Connection, workspaceId: string): Promise<EmojiRow[]> {
  const emojis: EmojiRow[] = []
  for (let page: EmojiRow[] | undefined; page === undefined || page.length === PAGE; emojis.push(...page)) {
    page = await listEmojisAfter(db, workspaceId, undefined, emojis.at(-1), PAGE)
  }
  return emojis
}
