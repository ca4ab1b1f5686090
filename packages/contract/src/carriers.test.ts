import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { carrierSettings, carrierVariables } from './carriers.ts'
import { ConfigError, readEnvironment } from './environment.ts'

const settingsOf = (given: Record<string, string>, files: Record<string, string> = {}) =>
  carrierSettings(readEnvironment(z.object(carrierVariables), given), (path) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    return text
  })

const sip = (trunks: unknown) =>
  settingsOf({ CARRIER: 'sip', SIP_TRUNKS: 't.json' }, { 't.json': JSON.stringify(trunks) })

describe('carrierSettings', () => {
  test('is the simulated network without a variable', () => {
    expect(settingsOf({})).toMatchObject({ used: ['simulated'], isReal: false, isLoopback: false, testNumbers: false })
  })

  test('reads an order of preference, and other ones by country', () => {
    expect(settingsOf({ CARRIER: ' twilio ', CARRIER_ROUTES: 'US = twilio; ' })).toMatchObject({
      carriers: ['twilio'],
      routes: { US: ['twilio'] },
    })
    const given = { CARRIER: 'twilio', CARRIER_ROUTES: 'DE=sip,twilio', SIP_TRUNKS: 't.json', SANDBOX_NUMBERS: 'on' }
    expect(settingsOf(given, { 't.json': '{}' })).toMatchObject({
      used: ['twilio', 'sip'],
      routes: { DE: ['sip', 'twilio'] },
      isReal: true,
      testNumbers: true,
    })
  })

  test.each([
    [{ CARRIER: 'pigeon' }, 'CARRIER: must be simulated, or twilio and sip in order of preference'],
    [{ CARRIER: 'sip,' }, 'CARRIER: must be simulated'],
    [{ CARRIER: 'twilio,twilio' }, 'CARRIER: must be simulated'],
    [{ CARRIER: 'simulated,twilio' }, 'CARRIER=simulated goes with no other carrier'],
    [{ CARRIER_ROUTES: 'DE=twilio' }, 'CARRIER=simulated goes with no other carrier'],
    [{ CARRIER_ROUTES: 'de=twilio' }, 'CARRIER_ROUTES: must name each country once'],
    [{ CARRIER_ROUTES: 'DE=twilio;DE=sip' }, 'CARRIER_ROUTES: must name each country once'],
    [{ CARRIER_ROUTES: 'DE=simulated' }, 'CARRIER_ROUTES: must name each country once'],
    [{ CARRIER_ROUTES: 'DE=' }, 'CARRIER_ROUTES: must name each country once'],
    [{ CARRIER: 'sip' }, 'CARRIER=sip needs SIP_TRUNKS, the path of a JSON file with the SIP trunks. Set it.'],
    [{ CARRIER: 'sip', SIP_TRUNKS: 'x.json' }, 'SIP_TRUNKS: the file x.json cannot be read (ENOENT).'],
    [{ CARRIER: 'sip', SIP_TRUNKS: 'bad.json' }, 'SIP_TRUNKS: the file bad.json is not JSON. Correct it.'],
    [{ TWILIO_API_BASE: 'http://twilio.example' }, 'TWILIO_API_BASE must begin with https'],
    [{ SANDBOX_NUMBERS: 'yes' }, 'SANDBOX_NUMBERS: must be one of on, off, not "yes".'],
  ])('refuses %o', (given, sentence) => {
    const read = () => settingsOf(given, { 'bad.json': '{' })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(sentence)
  })

  test.each([
    ['http://127.0.0.1:9000', true],
    ['https://localhost', true],
    ['https://api.dublin.ie1.twilio.com', false],
    ['https://127.0.0.1.evil.example', false],
  ])('takes Twilio at %s for a test: %s', (TWILIO_API_BASE, isLoopback) => {
    expect(settingsOf({ CARRIER: 'twilio', TWILIO_API_BASE }).isLoopback).toBe(isLoopback)
  })

  test.each([
    [{ trunks: [{ host: '127.0.0.1' }, { host: '::1' }, { host: 'localhost', domain: 'carrier.example' }] }, true],
    [{ trunks: [{ host: '127.0.0.1' }, { host: 'sip.carrier.example' }] }, false],
    [{ trunks: [{ host: '127.0.0.1.carrier.example' }] }, false],
    [{ trunks: [{ host: '10.0.0.1' }] }, false],
    [{ trunks: [{ host: '127.0.0.1' }, {}] }, false],
    [{ trunks: [] }, false],
    [[], false],
  ])('takes the trunks of %j for a test: %s', (trunks, isLoopback) => {
    expect(sip(trunks).isLoopback).toBe(isLoopback)
  })

  test('is a test only when every carrier is on this machine', () => {
    const given = { CARRIER: 'sip,twilio', SIP_TRUNKS: 't.json' }
    const files = { 't.json': '{"trunks":[{"host":"127.0.0.1"}]}' }
    expect(settingsOf(given, files).isLoopback).toBe(false)
    expect(settingsOf({ ...given, TWILIO_API_BASE: 'http://127.0.0.1:1' }, files).isLoopback).toBe(true)
  })
})
