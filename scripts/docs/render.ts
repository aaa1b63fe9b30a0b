/** The site: the pages of a release through Eleventy's Markdown and layout, the same pages as Markdown, and the search's entries. */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Eleventy from '@11ty/eleventy'
import { rolldown } from 'rolldown'
import { addressOf, operationsOf, webhooksOf, type Document } from '../generate/document.ts'
import { releaseDates } from '../generate/versions.ts'
import { ownLook, type Look } from './look.ts'
import { markdownRenderer, type Place } from './markdown.ts'
import { areaPath, areasOf } from './pages/areas.ts'
import { errorAnchors } from './pages/errors.ts'
import { eventPath } from './pages/events.ts'
import { headingsOf } from './pages/headings.ts'
import { changesPath } from './pages/lists.ts'
import { pagesOf, type Sources } from './pages/index.ts'
import { objectPath } from './pages/objects.ts'
import { operationPath } from './pages/operations.ts'
import type { Page } from './pages/page.ts'
import type { Call } from './browser/try_it.ts'
import { linkedMarkdown, siteFiles, type SiteFile } from './releases.ts'
import { searchEntries } from './search.ts'

const template = join(import.meta.dirname, 'template')

/**
 * Writes the site into the folder. Files of pages that are no longer there stay.
 * @param releases what the pages of each release are made from, newest first; the first is what readers see unless they choose another
 * @param look of a brand
 * @param isRendered which pages become HTML too; all, unless somebody wants to see only some
 */
export async function renderSite(
  releases: readonly [Sources, ...Sources[]],
  folder: string,
  look: Look = ownLook,
  isRendered: (file: SiteFile) => boolean = () => true,
): Promise<readonly SiteFile[]> {
  const [{ document }] = releases
  const files = filesOf(releases, look)
  await mkdir(folder, { recursive: true })
  const shown = { folder, head: '', look }
  await withEleventy(document, files, files.filter(isRendered), shown, (eleventy) => eleventy.write())
  const pages = newestPages(files)
  await Promise.all([
    writeMarkdown(files, folder),
    writeAssets(folder, look),
    writeFile(join(folder, 'search.js'), searchScript(pages)),
    writeLists(document, pages, folder),
    writeFile(join(folder, 'sitemap.txt'), sitemap(files, look.siteAddress ?? `${addressOf(document)}/docs/`)),
  ])
  return files
}

export function filesOf(releases: readonly Sources[], look: Look = ownLook): SiteFile[] {
  return siteFiles(
    releases.map((sources) => ({
      date: sources.document.info.version,
      pages: pagesOf(sources).map((page) => pageIn(look, page)),
    })),
  )
}

/** A page with its texts as the brand has them. */
function pageIn({ text }: Look, page: Page): Page {
  const { path, title, summary, markdown, keywords, call } = page
  return {
    ...page,
    path: text(path),
    title: text(title),
    summary: text(summary),
    markdown: text(markdown),
    keywords: keywords.map(text),
    ...(call === undefined ? {} : { call: JSON.parse(text(JSON.stringify(call))) as Call }), // the same keys
  }
}

/** One page of the site as HTML. */
export async function renderPage(document: Document, files: readonly SiteFile[], file: SiteFile, head: string): Promise<string> {
  const pages = await withEleventy(document, files, [file], { folder: tmpdir(), head, look: ownLook }, (eleventy) =>
    eleventy.toJSON(),
  )
  return pages[0]?.content ?? ''
}

export function newestPages(files: readonly SiteFile[]): Page[] {
  return files.filter(({ page, file }) => page.path === file).map(({ page }) => page)
}

/** Has Eleventy work on some of the files of a site. */
async function withEleventy<T>(
  document: Document,
  files: readonly SiteFile[],
  rendered: readonly SiteFile[],
  { folder, head, look }: { folder: string; head: string; look: Look },
  work: (eleventy: Eleventy) => Promise<T>,
): Promise<T> {
  const input = await mkdtemp(join(tmpdir(), 'site-'))
  await cp(join(template, 'layout.njk'), join(input, '_includes/layout.njk'))
  const render = markdownRenderer()
  const byFile = new Map(files.map((file) => [file.file, file]))
  const pathOf = pathsByName(document)
  const navigation = navigationOf(document, files)
  const eleventy = new Eleventy(input, folder, {
    quietMode: true,
    config(config) {
      config.setLibrary('md', { render: (text, { path }) => render(text, placeOf(byFile.get(path), pathOf)), disable() {} })
      for (const file of rendered)
        config.addTemplate(`${file.file}.md`, linkedMarkdown(file), {
          ...layoutData(file),
          navigation,
          head,
          logo: look.logo?.name,
          address: look.address,
          server: addressOf(document),
          site: document.info.title,
        })
    },
  })
  eleventy.disableLogger()
  try {
    return await work(eleventy)
  } finally {
    await rm(input, { recursive: true })
  }
}

function placeOf(file: SiteFile | undefined, pathOf: (name: string) => string | undefined): Place {
  return {
    path: file?.file ?? '',
    pathOf(name) {
      const [path, anchor] = (pathOf(name) ?? '').split('#')
      if (path === undefined || path === '') return undefined
      return `${file?.fileOf(path) ?? path}${anchor === undefined ? '' : `#${anchor}`}`
    },
  }
}

/** What the layout shows beside the text. */
function layoutData({ page, file, dates, switches }: SiteFile): Readonly<Record<string, unknown>> {
  return {
    layout: 'layout.njk',
    permalink: `${file}.html`,
    templateEngineOverride: 'md',
    eleventyExcludeFromCollections: true,
    path: file,
    page_path: page.path,
    kind: page.kind,
    title: page.title,
    summary: page.summary,
    area: page.area,
    call: page.call === undefined ? undefined : JSON.stringify(page.call),
    root: '../'.repeat(file.split('/').length - 1),
    dates,
    sections: page.kind === 'guide' ? headingsOf(page.markdown).filter(({ level }) => level === 2) : [],
    newest: dates.includes(switches[0]?.date ?? '') ? undefined : switches.find((one) => one.file !== undefined),
    switches: switches.map((one) => ({ date: one.date, file: one.file, isHere: one.file === file })),
    variants: JSON.stringify(Object.fromEntries(switches.map((one) => [one.date, one.file]))),
  }
}

interface Link {
  readonly path: string
  readonly title: string
}

interface Navigation {
  readonly guides: readonly Link[]
  readonly areas: readonly (Link & { readonly operations: readonly (Link & { readonly method: string })[] })[]
}

function navigationOf(document: Document, files: readonly SiteFile[]): Navigation {
  return {
    guides: files
      .filter(({ page, file }) => page.kind === 'guide' && page.path === file)
      .map(({ page: { path, title } }) => ({ path, title })),
    areas: areasOf(document).map(({ name, operations }) => ({
      path: areaPath(name),
      title: name,
      operations: operations.map(({ operation, method }) => ({
        path: operationPath(operation.operationId),
        title: operation.summary ?? operation.operationId,
        method,
      })),
    })),
  }
}

/** Where each name of the contract that prose may mention is explained. */
function pathsByName(document: Document): (name: string) => string | undefined {
  const paths = new Map([
    ...Object.keys(document.components.schemas ?? {}).map((name): [string, string] => [name, objectPath(name)]),
    ...operationsOf(document).map(({ operation: { operationId } }): [string, string] => [
      operationId,
      operationPath(operationId),
    ]),
    ...webhooksOf(document).map(({ path: type }): [string, string] => [type, eventPath(type)]),
    ...errorAnchors(document),
    // The first release changed nothing.
    ...releaseDates(document)
      .slice(1)
      .map((date): [string, string] => [date, `${changesPath}#${date}`]),
  ])
  return (name) => paths.get(name)
}

async function writeMarkdown(files: readonly SiteFile[], folder: string): Promise<void> {
  await Promise.all(
    [...new Set(files.map(({ file }) => dirname(join(folder, file))))].map((path) => mkdir(path, { recursive: true })),
  )
  await Promise.all(files.map((file) => writeFile(join(folder, `${file.file}.md`), publishedPage(file))))
}

/** A page as the Markdown file beside it. */
export function publishedPage(file: SiteFile): string {
  return publishedMarkdown(file.page.title, linkedMarkdown(file))
}

/** The text of a page as a file of its own: what only the site's renderer reads is taken out. */
function publishedMarkdown(title: string, markdown: string): string {
  const text = markdown
    .replaceAll(/^::: example (.*)$/gm, '**$1**')
    .replaceAll(/^:::.*\n?/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
  return `# ${title}\n\n${text.trim()}\n`
}

/** Style sheet, script and logo. */
export async function writeAssets(folder: string, { text, style, logo }: Look = ownLook): Promise<void> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'browser/main.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  const css = await readFile(join(template, 'site.css'), 'utf8')
  await Promise.all([
    writeFile(join(folder, 'site.js'), text(output[0].code)),
    writeFile(join(folder, 'site.css'), text(css) + style),
    logo === undefined ? undefined : writeFile(join(folder, logo.name), logo.bytes),
  ])
}

/** The entries of the search as a script rather than JSON, since a page that lies on a disk may load scripts and nothing else. */
export function searchScript(pages: readonly Page[]): string {
  return `window.searchEntries = ${JSON.stringify(searchEntries(pages))}\n`
}

/** Every address of the site. A service that shows the site puts its own in the place of the contract's first server. */
function sitemap(files: readonly SiteFile[], address: string): string {
  return `${files.map(({ file }) => `${address}${file}.html`).join('\n')}\n`
}

/** `llms.txt` lists the pages, `llms-full.txt` holds their text but for single objects. */
async function writeLists({ info }: Document, pages: readonly Page[], folder: string): Promise<void> {
  const line = ({ path, title, summary }: Page): string => `- [${title}](${path}.md): ${summary}`
  const sections = [
    ['Guides', 'guide'],
    ['Operations', 'operation'],
    ['Events', 'event'],
    ['Lists', 'list'],
  ].map(
    ([title, kind]) =>
      `## ${title}\n\n${pages
        .filter((page) => page.kind === kind)
        .map(line)
        .join('\n')}`,
  )
  const whole = pages.filter(({ kind }) => kind !== 'object').map(({ title, markdown }) => publishedMarkdown(title, markdown))
  await Promise.all([
    writeFile(join(folder, 'llms.txt'), `# ${info.title}\n\n> ${String(info['summary'] ?? '')}\n\n${sections.join('\n\n')}\n`),
    writeFile(join(folder, 'llms-full.txt'), whole.join('\n')),
  ])
}
