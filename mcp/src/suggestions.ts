import { isFullDataSource, isFullPage, plainText, WorkspaceServiceError, type WorkspaceClient } from '../../client/src/index.ts'
import { findRecordId } from './forgiving.ts'
import { dataSourceOf, titleOf } from './records.ts'
import { ToolError } from './tool.ts'
import { readUsers } from './values/people.ts'

/** Suggests values of an argument whose beginning a person has typed. */
export type Suggest = (typed: string, context?: { readonly arguments?: Readonly<Record<string, string>> }) => Promise<string[]>

/** Suggestions for the arguments of prompts and resources. */
export interface Suggestions {
  /** Pages by words in their titles. */
  readonly pages: Suggest
  /** Data sources by words in their titles. */
  readonly dataSources: Suggest
  /** Properties of the argument `data_source` by name. */
  readonly properties: Suggest
  /** People by name or email address. */
  readonly people: Suggest
}

const SUGGESTIONS_MAX = 20
/** A client asks after every key. People who come later in the list are not suggested. */
const USER_PAGES_MAX = 2
/** The most characters of a title in a suggestion. */
const TITLE_CHARACTERS_MAX = 60

/** Suggests records that the caller may read, and nothing if a request fails: suggestions only save typing. */
export function suggestionsFor(client: WorkspaceClient): Suggestions {
  return {
    pages: suggested((typed) => titlesOf(client, typed, 'page')),
    dataSources: suggested((typed) => titlesOf(client, typed, 'data_source')),
    properties: suggested(async (typed, context) => {
      const id = findRecordId(context?.arguments?.['data_source'] ?? '')
      if (id === undefined) return []
      const { properties } = await dataSourceOf(client, id)
      return Object.keys(properties).filter((name) => contains(name, typed))
    }),
    people: suggested(async (typed) => {
      const { users } = await readUsers(client, USER_PAGES_MAX)
      const people = users.flatMap((user) =>
        user.type === 'person' ? [{ name: user.name ?? '', email: user.person.email }] : [],
      )
      return people
        .filter(({ name, email = '' }) => contains(name, typed) || contains(email, typed))
        .map(({ name, email }) => email ?? name)
    }),
  }
}

function suggested(find: Suggest): Suggest {
  return async (typed, context) => {
    try {
      const found = await find(typed, context)
      return found.filter((value) => value !== '').slice(0, SUGGESTIONS_MAX)
    } catch (error) {
      if (error instanceof WorkspaceServiceError || error instanceof ToolError) return []
      throw error
    }
  }
}

/** Pages or data sources, each as the words of its title and its id, as in an address. */
async function titlesOf(client: WorkspaceClient, typed: string, kind: 'page' | 'data_source'): Promise<string[]> {
  const query = typed.trim()
  const { results } = await client.search({
    ...(query !== '' && { query, sort: { property: 'relevance' } }),
    filter: { property: 'object', value: kind },
    page_size: SUGGESTIONS_MAX,
  })
  return results.flatMap((found) => {
    if (isFullPage(found)) return [titledId(titleOf(found), found.id)]
    return isFullDataSource(found) ? [titledId(plainText(found.title), found.id)] : []
  })
}

function titledId(title: string, id: string): string {
  const words = title.slice(0, TITLE_CHARACTERS_MAX).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...words, id.replaceAll('-', '')].join('-')
}

function contains(text: string, typed: string): boolean {
  return text.toLowerCase().includes(typed.trim().toLowerCase())
}
