/** The intent of a message. */
export type Intent =
  | {
      readonly kind: 'create_page'
      readonly title: string
      readonly parent: string | undefined
      readonly text: string | undefined
    }
  | { readonly kind: 'append_blocks' | 'add_comment'; readonly page: string; readonly text: string }
  | { readonly kind: 'question' }

const QUOTED = '"([^"]+)"'
const CREATE = new RegExp(`^create page ${QUOTED}(?: in ${QUOTED})?(?: with ${QUOTED})?`, 'i')
const APPEND = new RegExp(`^append ${QUOTED} to ${QUOTED}`, 'i')
const COMMENT = new RegExp(`^comment ${QUOTED} on ${QUOTED}`, 'i')

/** Recognizes fixed phrases with quoted names at the start of a message, in upper or lower case. Any other message is a question. */
export function parseIntent(message: string): Intent {
  const text = message.trim()
  const create = CREATE.exec(text)
  if (create?.[1] !== undefined) return { kind: 'create_page', title: create[1], parent: create[2], text: create[3] }
  const append = APPEND.exec(text)
  if (append?.[1] !== undefined && append[2] !== undefined) return { kind: 'append_blocks', text: append[1], page: append[2] }
  const comment = COMMENT.exec(text)
  if (comment?.[1] !== undefined && comment[2] !== undefined) return { kind: 'add_comment', text: comment[1], page: comment[2] }
  return { kind: 'question' }
}
