/** JSON pointers, as `$ref` has them behind `#`. */

export function pointerOf(keys: readonly string[]): string {
  return `#/${keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
}

/** `#/paths/~1v1~1users` -> `['paths', '/v1/users']` */
export function keysOfPointer(pointer: string): string[] {
  return pointer
    .replace(/^#?\/?/, '')
    .split('/')
    .filter((key) => key !== '')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
}
