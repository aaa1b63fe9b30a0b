import { invalid } from '../failures.ts'
import { essenceOf, extensionFor, extensionOf, isSupportedType, typesOf } from './types.ts'

/** What a file is called and what it is. */
interface FileName {
  readonly filename: string
  readonly contentType: string
}

/** What a caller says about a file, and where each is said. */
interface WrittenName {
  readonly filename: string | undefined
  readonly contentType: string | undefined
  readonly namePath: string
  readonly typePath: string
}

/** With its extension, in UTF-8. */
const NAME_BYTES_MAX = 900
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+[\t ]*(?:;[\t\x20-\x7e]*)?$/
/** Also what turns the direction of a text or ends its line, so that a name shows as another one. */
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u
/** What leads somewhere, on one system or another. */
const PATH = /[\\/]|^[A-Za-z]:\S|^\.{1,2}$/

/**
 * Joins a name and a type, each of which can stand in for the other.
 * @throws ServiceError `validation_error` for what is not supported, does not fit together, or is missing altogether
 */
export function settleName({ filename, contentType, namePath, typePath }: WrittenName): FileName {
  if (contentType !== undefined) requireType(contentType, typePath)
  if (filename === undefined || filename.trim() === '') throw invalid(namePath, 'should have a name')
  if (CONTROL.test(filename)) throw invalid(namePath, 'should have no control characters')
  if (PATH.test(filename)) throw invalid(namePath, 'should have a plain name, without folders or a drive')
  const extension = extensionOf(filename)
  if (extension === undefined) {
    if (contentType === undefined)
      throw invalid(namePath, 'should have a supported extension, such as `.pdf`, or come with a type')
    return { filename: fitting(`${filename}.${extensionFor(essenceOf(contentType)) ?? ''}`, namePath), contentType }
  }
  const [usual, ...others] = typesOf(extension) ?? []
  if (usual === undefined) throw invalid(namePath, `should have a supported extension, and \`.${extension}\` is none`)
  if (contentType !== undefined && ![usual, ...others].includes(essenceOf(contentType)))
    throw invalid(typePath, `should fit the extension \`.${extension}\`: ${[usual, ...others].join(' or ')}`)
  return { filename: fitting(filename, namePath), contentType: contentType ?? usual }
}

/** @throws ServiceError `validation_error` for a MIME type that is malformed or not supported */
export function requireType(contentType: string, path: string): void {
  if (!CONTENT_TYPE.test(contentType) || !isSupportedType(essenceOf(contentType)))
    throw invalid(path, 'should be a supported MIME type')
}

function fitting(filename: string, path: string): string {
  const bytes = Buffer.byteLength(filename)
  if (bytes > NAME_BYTES_MAX) throw invalid(path, `should be at most \`${NAME_BYTES_MAX}\` bytes long, instead was \`${bytes}\``)
  return filename
}
