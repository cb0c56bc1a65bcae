import { findBrowser } from './find-browser.js'

/** `CHROMIUM=off` leaves the tests in a browser out. */
export function browserSwitchedOff(): boolean {
  return process.env['CHROMIUM'] === 'off'
}

/** Unpacks Chromium if none is installed, before several files start it. */
export function setup(): void {
  findBrowser()
}
