import { completable, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { findRecordId } from './forgiving.ts'
import type { Suggest, Suggestions } from './suggestions.ts'

/** A text with which a person starts a piece of work. */
interface Prompt<Argument extends string> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly suggest: Readonly<Record<Argument, Suggest>>
  text(given: (argument: Argument) => string): string
}

/** Offers prompts, whose arguments clients complete. */
export function registerPrompts(server: McpServer, { pages, dataSources, properties, people }: Suggestions): void {
  registerPrompt(server, {
    name: 'summarize_page',
    title: 'Summarize a page',
    description: 'A summary of a page, as a comment on it',
    suggest: { page: pages },
    text: (given) =>
      `Read the page ${given('page')} with read_page, all parts of it, and summarize it in five sentences. Then ask whether to add the summary as a comment.`,
  })
  registerPrompt(server, {
    name: 'file_notes',
    title: 'File notes as rows',
    description: 'Turns a text into rows of a data source',
    suggest: { data_source: dataSources },
    text: (given) =>
      `Describe the data source ${given('data_source')} with describe_data_source. Then turn the notes that I paste next into rows for it, show them to me, and create them with create_rows when I agree.`,
  })
  registerPrompt(server, {
    name: 'rows_of_person',
    title: 'Rows of a person',
    description: 'Lists the rows of a data source that name a person in a property',
    suggest: { data_source: dataSources, property: properties, person: people },
    text: (given) =>
      `Describe the data source ${given('data_source')} with describe_data_source. Then find the rows whose property ${JSON.stringify(given('property'))} contains ${JSON.stringify(given('person'))} with query_rows, and list their titles, unfinished ones first, with states and dates.`,
  })
}

function registerPrompt<Argument extends string>(server: McpServer, prompt: Prompt<Argument>): void {
  const { name, title, description, suggest, text } = prompt
  const entries = Object.entries<Suggest>(suggest)
  const argsSchema = z.object(Object.fromEntries(entries.map(([argument, find]) => [argument, completable(z.string(), find)])))
  server.registerPrompt(name, { title, description, argsSchema }, (values) => {
    // Other people wrote the titles in suggestions: a prompt, which speaks for its user, contains only their ids.
    const given = (argument: Argument): string => findRecordId(String(values[argument])) ?? String(values[argument])
    return { messages: [{ role: 'user', content: { type: 'text', text: text(given) } }] }
  })
}
