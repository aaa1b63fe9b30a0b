import type { Cover, CoverRequest, Icon, IconRequest, NativeIconColor } from '../../../generated/types.ts'
import type { ReferenceList } from './references.ts'
import type { Scope } from '../shared/index.ts'
import { presentFile, storedFile, type StoredFile } from '../files/index.ts'
import type { Facts } from './rich_text/facts.ts'
import { nativeIconName, nativeIconOfUrl } from '../../kernel/native_icons.ts'

/** A stored icon. It does not contain the names of custom emojis, which are read when it is presented. */
export type StoredIcon =
  | { readonly type: 'emoji'; readonly emoji: string }
  | { readonly type: 'custom_emoji'; readonly custom_emoji: { readonly id: string } }
  | { readonly type: 'icon'; readonly icon: { readonly name: string; readonly color: NativeIconColor } }
  | { readonly type: 'external'; readonly external: { readonly url: string } }
  | StoredFile

/** The addresses of the service's icons. */
export interface IconAddresses extends Pick<Scope, 'baseUrl'> {
  readonly files: Pick<Scope['files'], 'brand'>
}

export function storeIcon(
  request: IconRequest,
  path: string,
  references: ReferenceList,
  { baseUrl, files }: IconAddresses,
): StoredIcon {
  if ('emoji' in request) return { type: 'emoji', emoji: request.emoji }
  if ('custom_emoji' in request) {
    return {
      type: 'custom_emoji',
      custom_emoji: { id: references.add('custom emoji', request.custom_emoji.id, `${path}.custom_emoji.id`) },
    }
  }
  if ('icon' in request) {
    // The contract's `native-icon` format ensures that the name is valid.
    return {
      type: 'icon',
      icon: { name: nativeIconName(request.icon.name) ?? request.icon.name, color: request.icon.color ?? 'gray' },
    }
  }
  if ('external' in request) {
    const native = nativeIconOfUrl(request.external.url, baseUrl, files.brand)
    return native ? { type: 'icon', icon: native } : { type: 'external', external: { url: request.external.url } }
  }
  return storedFile(references.addUpload(request.file_upload.id, `${path}.file_upload.id`, 'image'))
}

export function presentIcon(stored: StoredIcon | null, facts: Facts): Icon | null {
  if (stored?.type === 'file') return presentFile(stored, facts)
  if (stored?.type !== 'custom_emoji') return stored
  const emoji = facts.emojis.get(stored.custom_emoji.id)
  return emoji ? { type: 'custom_emoji', custom_emoji: emoji } : null
}

export type StoredCover = { readonly type: 'external'; readonly external: { readonly url: string } } | StoredFile

export function storeCover(request: CoverRequest, path: string, references: ReferenceList): StoredCover {
  if ('external' in request) return { type: 'external', external: { url: request.external.url } }
  return storedFile(references.addUpload(request.file_upload.id, `${path}.file_upload.id`, 'image'))
}

export function presentCover(stored: StoredCover | null, facts: Facts): Cover | null {
  return stored?.type === 'file' ? presentFile(stored, facts) : stored
}
