import { styleText } from 'node:util'

/** A line with an address, in the style of Vite. */
export function formatAddress(name: string, url: string): string {
  return `  ${paint('green', '➜')}  ${paint('bold', name)}: ${paint('cyan', url)}`
}

function paint(format: Parameters<typeof styleText>[0], text: string): string {
  const { isTTY } = process.stdout
  return isTTY && process.env['NO_COLOR'] === undefined ? styleText(format, text) : text
}
