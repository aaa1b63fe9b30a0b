/** A JSON pointer as `body.results[*].type`: the same problem in every item of a list is one finding. */
export function locationAt(root: string, pointer: string): string {
  const steps = pointer.split('/').slice(1)
  return steps.reduce((location, step) => (/^\d+$/.test(step) ? `${location}[*]` : `${location}.${unescaped(step)}`), root)
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
