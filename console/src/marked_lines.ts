interface Line {
  readonly text: string
  /** Whether it belongs to an invalid part. */
  readonly isMarked: boolean
}

/**
 * A JSON value as indented lines.
 * @param locations invalid parts, such as `body.children[3].to_do`. A part that does not exist marks the first line of the value that
 * lacks it.
 */
export function markedLines(value: unknown, locations: readonly string[]): Line[] {
  const invalid = new Set(locations)
  const incomplete = new Set(locations.map((location) => nearest(value, location)))
  const lines: Line[] = []
  write({ value, path: 'body', prefix: '', suffix: '', depth: 0, isMarked: false })
  return lines

  function write(node: Node): void {
    const { value, path, prefix, suffix, depth } = node
    const isMarked = node.isMarked || invalid.has(path)
    const add = (text: string, marked = isMarked): void => void lines.push({ text: '  '.repeat(depth) + text, isMarked: marked })
    const isStartMarked = isMarked || incomplete.has(path)
    const children = childrenOf(value)
    if (children.length === 0) return add(`${prefix}${JSON.stringify(value)}${suffix}`, isStartMarked)
    const isList = Array.isArray(value)
    add(`${prefix}${isList ? '[' : '{'}`, isStartMarked)
    children.forEach(([key, child], index) =>
      write({
        value: child,
        path: pathBelow(path, key),
        prefix: isList ? '' : `${JSON.stringify(key)}: `,
        suffix: index < children.length - 1 ? ',' : '',
        depth: depth + 1,
        isMarked,
      }),
    )
    add(`${isList ? ']' : '}'}${suffix}`)
  }
}

interface Node {
  readonly value: unknown
  readonly path: string
  readonly prefix: string
  readonly suffix: string
  readonly depth: number
  readonly isMarked: boolean
}

function childrenOf(value: unknown): (readonly [key: string | number, child: unknown])[] {
  if (Array.isArray(value)) return value.map((child: unknown, index) => [index, child])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** As errors name locations. */
function pathBelow(path: string, key: string | number): string {
  return typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`
}

/** The path of the deepest existing value that contains a location. */
function nearest(value: unknown, location: string): string {
  let [path, current] = ['body', value]
  if (!isAtOrBelow(location, path)) return location
  for (;;) {
    const next = childrenOf(current).find(([key]) => isAtOrBelow(location, pathBelow(path, key)))
    if (!next) return path
    path = pathBelow(path, next[0])
    current = next[1]
  }
}

function isAtOrBelow(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}.`) || location.startsWith(`${path}[`)
}
