/** Changes as text for a terminal, a pull request or the changelog. */

import { words, worstOf, type ContractChange, type Word } from './change.ts'

const headings: Record<Word, string> = { major: 'Breaking', minor: 'Added and allowed', patch: 'Wording' }

/**
 * Sections by level, each with its operations and their changes, and a last line with the semver level.
 * @param withWording whether changes of wording are listed, not only counted
 */
export function terminalReport(changes: readonly ContractChange[], base: string, withWording = false): string {
  const worst = worstOf(changes)
  if (worst === undefined) return `No changes since ${base}.`
  const sections = sectionsOf(listed(changes, withWording)).map(
    ({ word, groups }) =>
      `${headings[word]}\n${groups.map(({ operations, lines }) => `  ${operations}\n${lines.map((line) => `    ${line}`).join('\n')}`).join('\n')}`,
  )
  return [...sections, `Since ${base}: ${worst} (${sumsOf(changes)})${counted(changes, withWording)}`].join('\n\n')
}

/** GitHub-flavored Markdown: breaking changes are expanded, the rest is collapsed. It has the same parameters as `terminalReport`. */
export function markdownReport(changes: readonly ContractChange[], base: string, withWording = false): string {
  const worst = worstOf(changes)
  if (worst === undefined) return `The contract is the same as in ${base}.\n`
  const sections = sectionsOf(listed(changes, withWording)).map(({ word, groups }) => {
    const text = groups
      .map(({ operations, lines }) => `- ${operations}\n${lines.map((line) => `  - ${line}`).join('\n')}`)
      .join('\n')
    if (word === 'major') return `### ${headings[word]}\n\n${text}`
    return `<details><summary>${headings[word]}</summary>\n\n${text}\n\n</details>`
  })
  return `${[`## Contract: ${worst}`, `${sumsOf(changes)} since ${base}.`, ...sections].join('\n\n')}\n`
}

/** A hint at the option that lists changes of wording, which are otherwise only counted. */
function counted(changes: readonly ContractChange[], withWording: boolean): string {
  return !withWording && changes.some(({ word }) => word === 'patch') ? '; --wording lists the changes of wording' : ''
}

const listed = (changes: readonly ContractChange[], withWording: boolean): readonly ContractChange[] =>
  changes.filter(({ word }) => withWording || word !== 'patch')

/** Lines for CHANGELOG.md, one for each change except wording. */
export function changelogEntry(changes: readonly ContractChange[]): string {
  const sections = sectionsOf(listed(changes, false)).map(
    ({ word, groups }) =>
      `### ${headings[word]}\n\n${groups.flatMap(({ operations, lines }) => lines.map((line) => entryLine(operations, line))).join('\n')}`,
  )
  return sections.length === 0 ? 'No changes for callers.\n' : `${sections.join('\n\n')}\n`
}

const entryLine = (operations: string, line: string): string => `- ${operations}: ${line}`

/** Breaking changes that the changelog does not list, each as a line for its next release. */
export function unnamedBreaks(changes: readonly ContractChange[], changelog: string): ContractChange[] {
  const next = changelog.split('\n## Unreleased\n')[1]?.split('\n## ')[0] ?? ''
  const lines = new Set(next.split('\n'))
  return changes.filter((change) => change.word === 'major' && !lines.has(entryLine(namesOf(change.operations), lineOf(change))))
}

interface Section {
  word: Word
  groups: { operations: string; lines: string[] }[]
}

function sectionsOf(changes: readonly ContractChange[]): Section[] {
  return words.flatMap((word) => {
    const groups = Map.groupBy(
      changes.filter((change) => change.word === word),
      ({ operations }) => namesOf(operations),
    )
    return groups.size === 0
      ? []
      : [{ word, groups: [...groups].map(([operations, found]) => ({ operations, lines: found.map(lineOf) })) }]
  })
}

const lineOf = ({ location, message }: ContractChange): string => `\`${location}\`: ${message}`

function namesOf(operations: readonly string[]): string {
  if (operations.length === 0) return 'The contract'
  const shown = operations.length > 6 ? operations.slice(0, 5) : operations
  const more = operations.length - shown.length
  return shown.map((name) => `\`${name}\``).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function sumsOf(changes: readonly ContractChange[]): string {
  return words.map((word) => `${changes.filter((change) => change.word === word).length} ${word}`).join(', ')
}
