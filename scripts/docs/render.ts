/** Renders the site: the pages as HTML, by Eleventy, and as Markdown, and the entries of the search. */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Eleventy from '@11ty/eleventy'
import { rolldown } from 'rolldown'
import { stringify } from 'yaml'
import { serverAddressOf, operationsOf, webhooksOf, type Document } from '../generate/document.ts'
import { releaseDates } from '../generate/versions.ts'
import { ownLook, type Look } from './look.ts'
import { markdownRenderer, type RenderedPage } from './markdown.ts'
import { areaPath, areasOf } from './pages/areas.ts'
import { guidePath } from './pages/guides.ts'
import { errorAnchors } from './pages/errors.ts'
import { eventPath } from './pages/events.ts'
import { headingsOf } from './pages/headings.ts'
import { changesPath } from './pages/lists.ts'
import { pagesOf, type Sources } from './pages/index.ts'
import { objectPath } from './pages/objects.ts'
import { operationPath } from './pages/operations.ts'
import type { SitePage } from './pages/page.ts'
import type { CallForm } from './browser/call_form.ts'
import { linkedMarkdown, siteFiles, type SiteFile } from './releases.ts'
import { searchEntries } from './search.ts'

/** The last part of the path of the guide for assistants. */
const SKILL_GUIDE = 'assistants'

const template = join(import.meta.dirname, 'template')

/**
 * Writes the site into a folder. Does not delete the files of pages that no longer exist.
 * @param releases the sources of each release, newest first; the first is the default for readers
 * @param look the look of a brand
 * @param isRendered which pages to render as HTML; by default, all
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
  // A service that serves the site replaces the address of the contract's first server by its own.
  const siteAddress = look.siteAddress ?? `${serverAddressOf(document)}/docs/`
  await Promise.all([
    writeMarkdown(files, folder, siteAddress),
    writeAssets(folder, look),
    writeFile(join(folder, 'search.js'), searchScript(pages)),
    writeLists(document, files, folder, siteAddress),
    writeFile(join(folder, 'sitemap.txt'), sitemap(files, siteAddress)),
  ])
  return files
}

export function filesOf(releases: readonly Sources[], look: Look = ownLook): SiteFile[] {
  return siteFiles(
    releases.map((sources) => ({
      date: sources.document.info.version,
      pages: pagesOf(sources).map((page) => (look === ownLook ? page : pageIn(look, page))),
    })),
  )
}

/** A page with the names of the brand in its texts. */
function pageIn({ text }: Look, page: SitePage): SitePage {
  const { path, title, summary, markdown, keywords, call } = page
  return {
    ...page,
    path: text(path),
    title: text(title),
    summary: text(summary),
    markdown: text(markdown),
    keywords: keywords.map(text),
    ...(call === undefined ? {} : { call: JSON.parse(text(JSON.stringify(call))) as CallForm }), // replacing names keeps the keys
  }
}

/** Renders one page of the site as HTML. */
export async function renderPage(document: Document, files: readonly SiteFile[], file: SiteFile, head: string): Promise<string> {
  const pages = await withEleventy(document, files, [file], { folder: tmpdir(), head, look: ownLook }, (eleventy) =>
    eleventy.toJSON(),
  )
  return pages[0]?.content ?? ''
}

export function newestPages(files: readonly SiteFile[]): SitePage[] {
  return files.filter(({ page, file }) => page.path === file).map(({ page }) => page)
}

/** Runs `work` with an Eleventy that has some of the files of a site as templates. */
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
      config.setLibrary('md', { render: (text, { path }) => render(text, locationOf(byFile.get(path), pathOf)), disable() {} })
      for (const file of rendered)
        config.addTemplate(`${file.file}.md`, linkedMarkdown(file), {
          ...layoutData(file),
          navigation,
          head,
          logo: look.logo?.name,
          address: look.address,
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

function locationOf(file: SiteFile | undefined, pathOf: (name: string) => string | undefined): RenderedPage {
  return {
    path: file?.file ?? '',
    pathOf(name) {
      const [path, anchor] = (pathOf(name) ?? '').split('#')
      if (path === undefined || path === '') return undefined
      return `${file?.fileOf(path) ?? path}${anchor === undefined ? '' : `#${anchor}`}`
    },
  }
}

/** The data of the layout, in addition to the text. */
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

/** Finds the page that explains a name of the contract which prose may mention. */
function pathsByName(document: Document): (name: string) => string | undefined {
  const paths = new Map([
    ...Object.keys(document.components.schemas ?? {}).map((name): [string, string] => [name, objectPath(name)]),
    ...operationsOf(document).map(({ operation: { operationId } }): [string, string] => [
      operationId,
      operationPath(operationId),
    ]),
    ...webhooksOf(document).map(({ path: type }): [string, string] => [type, eventPath(type)]),
    ...errorAnchors(document),
    // The first release is left out, because it changed nothing.
    ...releaseDates(document)
      .slice(1)
      .map((date): [string, string] => [date, `${changesPath}#${date}`]),
  ])
  return (name) => paths.get(name)
}

async function writeMarkdown(files: readonly SiteFile[], folder: string, siteAddress: string): Promise<void> {
  await Promise.all(
    [...new Set(files.map(({ file }) => dirname(join(folder, file))))].map((path) => mkdir(path, { recursive: true })),
  )
  await Promise.all(files.map((file) => writeFile(join(folder, `${file.file}.md`), publishedPage(file, siteAddress))))
}

/** The Markdown file of a page. @param siteAddress with a trailing slash */
export function publishedPage(file: SiteFile, siteAddress: string): string {
  const index = `> [llms.txt](${siteAddress}llms.txt) lists all pages.`
  return publishedMarkdown(file.page.title, `${index}\n\n${linkedMarkdown(file, siteAddress)}`)
}

/** The text of a page as a separate file, without markup that only the site's renderer knows. */
function publishedMarkdown(title: string, markdown: string): string {
  const text = markdown
    .replaceAll(/^::: example (.*)$/gm, '**$1**')
    .replaceAll(/^:::.*\n?/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
  return `# ${title}\n\n${text.trim()}\n`
}

/** Writes the style sheet, the script and the logo. */
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

/** The entries of the search as a script rather than JSON, because a page that is opened from disk may only load scripts. */
export function searchScript(pages: readonly SitePage[]): string {
  return `window.searchEntries = ${JSON.stringify(searchEntries(pages))}\n`
}

/** The addresses of all pages. */
function sitemap(files: readonly SiteFile[], address: string): string {
  return `${files.map(({ file }) => `${address}${file}.html`).join('\n')}\n`
}

/** Writes `llms.txt` with a list of the pages, and `llms-full.txt` with their text, without object pages. */
async function writeLists({ info }: Document, files: readonly SiteFile[], folder: string, siteAddress: string): Promise<void> {
  const pages = newestPages(files)
  const line = ({ path, title, summary }: SitePage): string => `- [${title}](${siteAddress}${path}.md): ${summary}`
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
  const whole = files
    .filter(({ page, file }) => page.path === file && page.kind !== 'object')
    .map((one) => publishedMarkdown(one.page.title, linkedMarkdown(one, siteAddress)))
  await Promise.all([
    writeFile(join(folder, 'llms.txt'), `# ${info.title}\n\n> ${String(info['summary'] ?? '')}\n\n${sections.join('\n\n')}\n`),
    writeFile(join(folder, 'llms-full.txt'), whole.join('\n')),
    writeFile(join(folder, 'SKILL.md'), skillOf(info, files, siteAddress)),
  ])
}

/** The guide for assistants in the form of a skill: with a name, when to use it, and links to the other guides. */
function skillOf({ title, summary }: Document['info'], files: readonly SiteFile[], siteAddress: string): string {
  const guide = files.find(({ page, file }) => page.path === file && page.path === guidePath(SKILL_GUIDE))
  if (!guide) throw new Error(`no guide ${SKILL_GUIDE}`)
  const links = newestPages(files).filter(({ kind, path }) => kind === 'guide' && path !== guide.file)
  const head = {
    name: `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-api`,
    description: `${String(summary ?? '')} Use when you write programs or requests for the ${title}.`,
  }
  const lines = links.map((page) => `- [${page.title}](${siteAddress}${page.path}.md): ${page.summary}`)
  const text = publishedMarkdown(guide.page.title, linkedMarkdown(guide, siteAddress))
  const all = `[llms.txt](${siteAddress}llms.txt) lists every operation.`
  return `---\n${stringify(head, { lineWidth: 0 })}---\n\n${text}\n## Guides\n\n${lines.join('\n')}\n\n${all}\n`
}
