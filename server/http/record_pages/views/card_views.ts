import type { PageObject } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { ownFile } from '../links.ts'
import type { PageView } from '../page_view.ts'
import { valueById } from '../values/columns.ts'
import { rowGroups } from './row_groups.ts'
import { rowDetails, rowLink, type RowList } from './row_list.ts'
import { tableView } from './table_view.ts'

export function listView(list: RowList): Html {
  const items = list.rows.map((row) => markup`<li>${rowLink(list.view, row)}${rowDetails(list, row)}</li>`)
  return markup`<ul class="row-list">${items}</ul>`
}

export function galleryView(list: RowList): Html {
  const hasCovers = list.rows.some((row) => coverPath(list, row) !== undefined)
  return markup`<ul class="gallery">${list.rows.map((row) => markup`<li class="row-card">${hasCovers && coverOf(list, row)}${rowLink(list.view, row)}${rowDetails(list, row)}</li>`)}</ul>`
}

function coverOf(list: RowList, row: PageObject): Html {
  const path = coverPath(list, row)
  return path === undefined ? markup`<div class="cover"></div>` : markup`<img class="cover" src="${path}" alt="" loading="lazy">`
}

/** The picture of a card, if it is a file of this service. */
function coverPath({ view, configuration }: RowList, row: PageObject): string | undefined {
  const cover = configuration && 'cover' in configuration ? configuration.cover : undefined
  if (cover?.type === 'property') return pictureIn(view, row, cover.property_id)
  return row.cover?.type === 'file' ? ownFile(view, row.cover.file.url) : undefined
}

const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i

function pictureIn(view: PageView, row: PageObject, propertyId: string | undefined): string | undefined {
  const value = propertyId === undefined ? undefined : valueById(row, propertyId)
  if (value?.type !== 'files') return undefined
  const picture = value.files.find(({ type, name }) => type === 'file' && PICTURE.test(name))
  return picture?.type === 'file' ? ownFile(view, picture.file.url) : undefined
}

export function boardView(list: RowList, name: string): Html {
  if (list.configuration?.type !== 'board') return tableView(list, name)
  const groups = rowGroups(list, list.configuration.group_by).map(
    ({
      label,
      color,
      rows,
    }) => markup`<section class="lane"><h2><span class="option bg-${color}">${label}</span> <span class="soft">${rows.length}</span></h2>
<ul>${rows.map((row) => markup`<li class="row-card">${rowLink(list.view, row)}${rowDetails(list, row)}</li>`)}</ul></section>`,
  )
  return markup`<div class="board" tabindex="0" role="region" aria-label="${name}">${groups}</div>`
}
