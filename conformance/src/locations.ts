/** A JSON pointer as `body.results[*].type`: the same problem in every item of a list is one finding. */
export function placeAt(root: string, pointer: string): string {
  const steps = pointer.split('/').slice(1)
  return steps.reduce((place, step) => (/^\d+$/.test(step) ? `${place}[*]` : `${place}.${unescaped(step)}`), root)
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
