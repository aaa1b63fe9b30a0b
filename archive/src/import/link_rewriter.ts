import { posix } from 'node:path'
import { mediaKindOf } from '@workspace-service/server/domain/files/index.ts'
import { codeSpans, escapeAttribute } from '@workspace-service/server/domain/content/index.ts'
import { undashed } from '@workspace-service/server/kernel/ids.ts'
import { TimeSlice } from '@workspace-service/server/kernel/yield_to_event_loop.ts'
import { ARCHIVE_ORIGIN, folderOf, pathOfAddress, safeName } from '../archive_names.ts'
import type { StepContext } from './import_context.ts'
import type { ArchiveTree } from './archive_tree.ts'
import type { UploadedFile } from './archive_files.ts'

const LABEL = String.raw`((?:\\.|[^\\[\]])*)`
const ADDRESS = String.raw`(?:<([^<>\n]*)>|((?:\\.|\([^\s()\\]*\)|[^\s()\\])+))(?:\s+(?:"[^"]*"|'[^']*'))?`
/** A link or image: its `!`, label, and address in angle brackets or bare. */
export const LINK = new RegExp(String.raw`(?<!\\)(!?)\[${LABEL}\]\(${ADDRESS}\)`, 'g')
const LONE_LINK = new RegExp(String.raw`^(\s*)(!?)\[${LABEL}\]\(${ADDRESS}\)\s*$`)
const RECORD_LINE = /^(\s*)<(page|database) url="([^"]*)"[^>]*>(.*)<\/\2>\s*$/
const ATTRIBUTE = /(<[a-z_-]+(?:\s+[a-z_-]+="[^"]*")*?\s+)(src|icon)="([^"]*)"/g
const FENCE = /^\s*(`{3,}|~{3,})/

interface LinkDeps {
  /** The address of the service that imports the pages. */
  readonly origin: string
  readonly tree: ArchiveTree
  readonly archive: Pick<StepContext['archive'], 'has'>
  readonly files: Pick<StepContext['files'], 'upload'>
  readonly personOf: StepContext['personOf']
  readonly leftOut: StepContext['leftOut']
}

/** Rewrites the relative addresses of one page to their new targets. Code stays as it is. */
export class LinkRewriter {
  /** The pages and databases that have a line in the text. */
  readonly placed = new Set<string>()
  readonly #context: LinkDeps
  readonly #path: string
  readonly #uploads = new Map<string, UploadedFile | undefined>()

  /** @param path of the page */
  constructor(context: LinkDeps, path: string) {
    this.#context = context
    this.#path = path
  }

  rewrite(text: string): Promise<string> {
    const prose = (part: string): Promise<string> => this.#prose(part)
    return replaceLinesOutsideCode(text, async (line) => (await this.#loneLine(line)) ?? replaceOutsideCode(line, prose))
  }

  /** The new address of an icon; undefined if it stays the same. */
  async #address(written: string): Promise<string | undefined> {
    if (written.startsWith(`${ARCHIVE_ORIGIN}/`)) return this.#context.origin + written.slice(ARCHIVE_ORIGIN.length)
    const upload = await this.upload(written)
    return upload && `file-upload://${upload.id}`
  }

  /** The upload of a file of the archive. @param address relative to the page */
  async upload(address: string): Promise<UploadedFile | undefined> {
    const path = pathOfAddress(this.#path, address)
    if (path === undefined || !this.#context.archive.has(path) || this.#context.tree.kindOf(path) !== undefined) return undefined
    if (!this.#uploads.has(path)) this.#uploads.set(path, await this.#context.files.upload(path))
    return this.#uploads.get(path)
  }

  /** A line that consists of one link, image or record, in the form of the dialect; undefined for any other line. */
  async #loneLine(line: string): Promise<string | undefined> {
    const [record, indent = '', , url = '', inside = ''] = RECORD_LINE.exec(line) ?? []
    if (record !== undefined) {
      if (pathOfAddress(this.#path, url) === undefined) return line
      const label = inside.replace(LONE_LINK, '$3')
      return indent + (this.#record(url, label) ?? label)
    }
    const [link, blank = '', bang = '', label = '', bracketed, bare] = LONE_LINK.exec(line) ?? []
    const address = bracketed ?? bare ?? ''
    if (link === undefined) return undefined
    const target = this.#recordAt(address)
    if (bang === '' && target !== undefined && this.#isChild(target.path) && !this.placed.has(target.id))
      return blank + (this.#record(address, label) ?? label)
    const upload = await this.upload(address)
    if (upload) return `${blank}${mediaLine(upload, label)}`
    return undefined
  }

  #record(address: string, label: string): string | undefined {
    const target = this.#recordAt(address)
    if (!target) {
      this.#reportLoss(`link to "${label}"`, `The archive does not contain the page ${address}.`)
      return undefined
    }
    this.placed.add(target.id)
    return `<${target.kind} url="/${undashed(target.id)}">${label}</${target.kind}>`
  }

  async #prose(text: string): Promise<string> {
    const linked = await replaced(text, LINK, async ([whole, bang = '', label = '', bracketed, bare]) =>
      this.#link(whole, bang, label, bracketed ?? bare ?? ''),
    )
    return replaced(linked, ATTRIBUTE, async ([whole, before = '', name = '', value = '']) => {
      const address = await this.#address(value)
      return address === undefined ? whole : `${before}${name}="${escapeAttribute(address)}"`
    })
  }

  async #link(whole: string, bang: string, label: string, address: string): Promise<string> {
    if (address.startsWith('mailto:')) return (await this.#person(label, address.slice('mailto:'.length))) ?? whole
    const target = this.#recordAt(address)
    if (target && bang === '') {
      const {
        outside: [before, after],
        inside,
      } = unmarked(label)
      const name = safeName(unescaped(inside))
      const own = folderOf(posix.basename(target.path))
      if (name === own || name === own.replace(/ \(\d+\)$/, ''))
        return `${before}<mention-${target.kind} url="/${undashed(target.id)}"/>${after}`
      return `[${label}](/${undashed(target.id)})`
    }
    const path = pathOfAddress(this.#path, address)
    if (path !== undefined && this.#context.archive.has(path))
      this.#reportLoss(`link to ${path}`, 'A file must be on a line of its own. The text of the link was kept.')
    return whole
  }

  /** `[@Name](mailto:…)` mentions a member. */
  async #person(label: string, email: string): Promise<string | undefined> {
    const {
      outside: [before, after],
      inside,
    } = unmarked(label)
    if (!inside.startsWith('@')) return undefined
    const id = await this.#context.personOf(email.toLowerCase())
    if (id !== undefined) return `${before}<mention-user url="user://${id}"/>${after}`
    this.#reportLoss(
      `mention of ${email}`,
      'No member of the workspace has this email address. The mention was imported as a link.',
    )
    return undefined
  }

  #recordAt(address: string): { readonly kind: 'page' | 'database'; readonly path: string; readonly id: string } | undefined {
    const path = pathOfAddress(this.#path, address)
    const kind = path === undefined ? undefined : this.#context.tree.kindOf(path)
    return path === undefined || kind === undefined ? undefined : { kind, path, id: this.#context.tree.idOf(path) }
  }

  #isChild(path: string): boolean {
    return this.#context.tree.parentOf(path) === this.#path
  }

  #reportLoss(what: string, reason: string): void {
    this.#context.leftOut.push({ what, where: this.#path, reason })
  }
}

/** A text of an archive for counting: relative addresses, which the dialect does not parse, become addresses on the web. */
export function withAbsoluteAddresses(text: string): Promise<string> {
  const absolute = (address: string): string =>
    pathOfAddress('top', address) === undefined
      ? address
      : `https://archive.invalid/${encodeURIComponent(address).slice(0, 1_000)}`
  const prose = async (part: string): Promise<string> =>
    part
      .replace(LINK, (_whole, bang: string, label: string, bracketed?: string, bare?: string) => {
        return `${bang}[${label}](${absolute(bracketed ?? bare ?? '')})`
      })
      .replace(ATTRIBUTE, (_whole, before: string, name: string, value: string) => `${before}${name}="${absolute(value)}"`)
  return replaceLinesOutsideCode(text, async (line) => {
    const [, indent = '', , url] = RECORD_LINE.exec(line) ?? []
    return url === undefined ? replaceOutsideCode(line, prose) : `${indent}[record](${absolute(url)})`
  })
}

async function replaceLinesOutsideCode(text: string, replace: (line: string) => Promise<string>): Promise<string> {
  const lines: string[] = []
  const slice = new TimeSlice()
  let fence: string | undefined
  for (const line of text.split(/\r?\n/)) {
    if (slice.isOver) await slice.next()
    const mark = FENCE.exec(line)?.[1]
    if (fence === undefined && mark === undefined) {
      lines.push(await replace(line))
      continue
    }
    lines.push(line)
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
  }
  return lines.join('\n')
}

async function replaceOutsideCode(line: string, replace: (text: string) => Promise<string>): Promise<string> {
  const slice = new TimeSlice()
  let [written, from] = ['', 0]
  for (const { start, end } of codeSpans(line)) {
    if (slice.isOver) await slice.next()
    written += (await replace(line.slice(from, start))) + line.slice(start, end)
    from = end
  }
  return written + (await replace(line.slice(from)))
}

function mediaLine({ id, type }: UploadedFile, label: string): string {
  const [kind, address] = [mediaKindOf(type), `file-upload://${id}`]
  if (kind === 'image') return `![${label}](${address})`
  return `<${kind === 'other' ? 'file' : kind} src="${address}">${label}</${kind === 'other' ? 'file' : kind}>`
}

/** Separates the style marks around a whole label from its text. */
function unmarked(label: string): { readonly outside: readonly [string, string]; readonly inside: string } {
  const [before = ''] = /^[*~]*/.exec(label) ?? []
  const rest = label.slice(before.length)
  const [after = ''] = /(?<![*~])[*~]+$/.exec(rest) ?? []
  const inside = rest.slice(0, rest.length - after.length)
  return before === [...after].toReversed().join('') ? { outside: [before, after], inside } : { outside: ['', ''], inside: label }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}

async function replaced(text: string, pattern: RegExp, replace: (match: RegExpExecArray) => Promise<string>): Promise<string> {
  let [written, from] = ['', 0]
  for (const match of text.matchAll(pattern)) {
    written += text.slice(from, match.index) + (await replace(match))
    from = match.index + match[0].length
  }
  return written + text.slice(from)
}
