import { styleText } from 'node:util'

/** A line with an address, in the style of Vite. */
export function formatAddress(name: string, url: string): string {
  return `  ${styleText('green', '➜')}  ${styleText('bold', name)}: ${styleText('cyan', url)}`
}
