import { AdministrationError } from '../shared/index.ts'

const BYTES_MAX = 64 * 1024
/** Base64 encodes 3 bytes in 4 characters. */
const TEXT_LENGTH_MAX = 100 + (BYTES_MAX / 3) * 4
const PICTURE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/

/** The first bytes of each type of image. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
}

/** Whether an icon contains its image: a small PNG, JPEG, GIF or WebP as a `data:` address, which does not have to be fetched. */
export function isPicture(icon: string): boolean {
  const [, type = '', data = ''] = icon.length > TEXT_LENGTH_MAX ? [] : (PICTURE.exec(icon) ?? [])
  const bytes = Buffer.from(data, 'base64')
  return bytes.length <= BYTES_MAX && (BEGINNINGS[type]?.test(bytes.toString('latin1', 0, 16)) ?? false)
}

/** @throws AdministrationError if the icon is neither an image nor the address of one */
export function requireIcon(icon: string): void {
  if (isPicture(icon) || (URL.canParse(icon) && /^https?:/i.test(icon))) return
  throw new AdministrationError(
    `"${icon.slice(0, 100)}" is neither a web address nor a data: URL with a PNG, JPEG, GIF or WebP of at most 64 KiB.`,
  )
}

/** The avatar of a connection's bots in responses of the API, which contain only web addresses. */
export function avatarOf(icon: string | null | undefined): string | null {
  return icon === null || icon === undefined || icon.startsWith('data:') ? null : icon
}
