import type { MouseEvent } from 'react'

// What the page needs of the device that it runs on: a browser, or a native shell around it.

/** A contact chosen in the phone's own address book. */
export interface PickedContact {
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly company: string
}

/** What Apple's dialog gave; the server verifies it. */
export interface AppleCredential {
  readonly identityToken: string
  readonly authorizationCode: string
  readonly user?: unknown
  readonly nonce?: string
}

export type NoticePermission = 'unsupported' | 'unasked' | 'denied' | 'granted'

/** Notifications that this page itself shows. */
export interface Notices {
  permission(): NoticePermission
  /** Asks the user once; on the web call it in a click handler. */
  ask(): Promise<void>
  show(notice: { readonly callId: string; readonly title: string; readonly body: string }): Promise<void>
  /** The user's switch: while off, nothing is sent to this device. */
  switched(on: boolean): void
  /** Whether they come while this page is closed too; undefined while that is not known. */
  reachesClosed(): boolean | undefined
  /** Calls when that has changed. Returns a function that stops it. */
  onReach(listener: () => void): () => void
  /** Calls with the call of a tapped notification, also of one that started the app. Returns a function that stops it. */
  onOpen(open: (callId: string) => void): () => void
}

/** Locks the app behind the device's own lock. */
export interface Lock {
  /** Whether this device has a lock to ask for. */
  isAvailable(): Promise<boolean>
  isOn(): boolean
  setOn(on: boolean): Promise<void>
  /** The device's dialog; false when it was canceled or failed. */
  unlock(reason: string): Promise<boolean>
  /** Calls when the app returns after a while in the background. Returns a function that stops it. */
  onReturn(listener: () => void): () => void
}

/** A part of the browser's storage. */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface Platform {
  readonly kind: 'web' | 'ios' | 'android'
  /** Whose settings allow notifications and the microphone, and whose notifications are shown. */
  readonly where: 'browser' | 'phone'
  /** The origin of the api without a trailing slash; empty where it is the page's own. */
  readonly apiBase: string
  readonly credentials: RequestCredentials
  readonly offersApple: boolean
  readonly offersPasskeys: boolean
  /** Whether the page registers a service worker: a shell has its files on the device. */
  readonly hasWorker: boolean
  /** Storage that ends with the user's visit: with the tab, or never in an app, which the system may end at any time. */
  memory(): Memory
  readonly notices: Notices
  readonly lock: Lock | undefined
  /** Lets the user choose from the phone's contacts; undefined when they chose none. */
  readonly pickContact: (() => Promise<PickedContact | undefined>) | undefined

  /** Headers that every request to the api carries. */
  headers(): Readonly<Record<string, string>>
  /** Reads an answer's headers: a shell keeps the session token. A promise where that takes time. */
  received(headers: Pick<Headers, 'get'>): Promise<void> | undefined
  /** The server knows no session of this page any more. */
  sessionEnded(): Promise<void> | undefined
  /** Ends the session and starts the page again, as a visitor. `path` is the api's logout. */
  signOut(path: string): Promise<void>

  /** The URL of a WebSocket of the api. A promise where a ticket is needed, which works once. */
  socketUrl(path: string): string | Promise<string>
  /** A URL for an audio element. A promise where the sound must be loaded first. */
  mediaUrl(path: string): string | Promise<string>
  /** Downloads a file of the api: into the browser's folder, or to the share sheet. */
  download(path: string): Promise<void>
  /** Neither rejects: a failure is told to onFailure. */
  saveText(name: string, text: string): Promise<void>
  /** An https URL at which another site, such as a bank, sends the user back to a path of this page. */
  returnUrl(path: string): string

  /** On a click of the Google link: does nothing where the link itself works. */
  followGoogle(event: MouseEvent): void
  /** Apple's dialog. Rejects with its reason. */
  signInWithApple(): Promise<AppleCredential>

  /** Calls with the path of each link that opens the app. Once, when the router is there. */
  onLink(open: (path: string) => void): void
  /** Calls when a file that the user asked for could not be loaded or shared, or a browser not be opened. */
  onFailure(listener: () => void): void
  /** The user's call has ended: felt where a device can. */
  callEnded(): void
}

/** Apple's dialog exists on iOS alone. */
export class AppleUnavailable extends Error {
  override readonly name = 'AppleUnavailable'
}
