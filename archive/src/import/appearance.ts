import { isOneEmoji } from '@workspace-service/server/kernel/emoji.ts'
import { ARCHIVE_ORIGIN } from '../archive_names.ts'
import type { StepContext } from './import_context.ts'
import type { LinkRewriter } from './link_rewriter.ts'

/** An icon as requests contain it. If it is not available, that is noted, and the result is undefined. */
export async function iconRequest(
  context: StepContext,
  links: LinkRewriter,
  word: unknown,
  where: string,
): Promise<object | undefined> {
  if (typeof word !== 'string' || word === '') return undefined
  if (isOneEmoji(word)) return { type: 'emoji', emoji: word }
  const name = /^:(.+):$/.exec(word)?.[1]
  const emoji = name === undefined ? undefined : await context.emojiOf(name)
  if (emoji !== undefined) return { type: 'custom_emoji', custom_emoji: { id: emoji } }
  return imageRequest(context, links, word, `icon ${word}`, where)
}

export async function coverRequest(
  context: StepContext,
  links: LinkRewriter,
  word: unknown,
  where: string,
): Promise<object | undefined> {
  return typeof word === 'string' && word !== '' ? imageRequest(context, links, word, `cover ${word}`, where) : undefined
}

async function imageRequest(
  { leftOut, origin }: StepContext,
  links: LinkRewriter,
  word: string,
  what: string,
  where: string,
): Promise<object | undefined> {
  const upload = await links.upload(word)
  if (upload?.type.startsWith('image/')) return { type: 'file_upload', file_upload: { id: upload.id } }
  // Icons of the service itself have no host in an archive.
  const address = word.startsWith(`${ARCHIVE_ORIGIN}/`) ? origin + word.slice(ARCHIVE_ORIGIN.length) : word
  if (/^https?:\/\//i.test(address)) return { type: 'external', external: { url: address } }
  leftOut.push({ what, where, reason: 'It was found neither in the archive nor in the workspace.' })
  return undefined
}
