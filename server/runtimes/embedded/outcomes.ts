import { isRefusal, isNamedPage, type SettledCall, type ToolResult } from '../../domain/agents/index.ts'

/** Describes the outcome of a call that a person approved or rejected. */
export function outcomeText({ decision, tool, result }: SettledCall): string {
  if (decision === 'reject') return 'Nothing was changed.'
  if (result.isError) return refusalText(result)
  if (!isNamedPage(result.content)) return 'Done.'
  const { title, url } = result.content
  return `${DONE[tool] ?? 'Done:'} ${title} (${url})`
}

const DONE: Readonly<Record<string, string>> = {
  create_page: 'Created the page',
  append_blocks: 'Appended to',
  add_comment: 'Commented on',
}

/** Says why something cannot be done, and lists the pages that may have been meant. */
export function refusalText({ content }: ToolResult): string {
  if (!isRefusal(content)) return 'This could not be done.'
  const { error, candidates = [] } = content
  if (candidates.length === 0) return error
  return [`${error} Did you mean one of these?`, ...candidates.map(({ id, title, url }) => `- ${title} (${url}), id ${id}`)].join(
    '\n',
  )
}
