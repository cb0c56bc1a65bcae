/** A number with its noun: `1 prompt`, `2 prompts`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
