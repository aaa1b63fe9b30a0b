import { compat, crawler, converter, helper, martian, toMarkdown } from './libraries.ts'
import { edge } from './edge/edge.ts'
import { official } from './official.ts'
import type { Program } from './program.ts'
import { tools } from './tools.ts'

/** The programs by the names that `clients.json` uses. */
export const programs: Readonly<Record<string, Program>> = {
  official,
  tools,
  'notion-to-md': toMarkdown,
  martian,
  'md-converter': converter,
  'md-crawler': crawler,
  compat,
  helper,
  edge,
}
