/** First lines of a generated TypeScript module. */
export function banner(purpose: string): string {
  return `// ${purpose}\n// Made from spec/ by \`npm run generate\`. Do not edit.\n`
}

/** The value as a TypeScript expression on one line, keys without quotes where the language allows. */
export function typescriptLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(typescriptLiteral).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => `${propertyName(key)}: ${typescriptLiteral(item)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
}

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
