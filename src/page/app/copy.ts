/**
 * Copies a text to the clipboard. `navigator.clipboard` exists only on secure origins, and a dev
 * server in the local network is not one.
 *
 * @returns whether it worked
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copyBySelection(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'offscreen'
  document.body.append(area)
  area.select()
  const worked = document.execCommand('copy')
  area.remove()
  return worked
}
