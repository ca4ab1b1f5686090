import { BRAND, FREE_CREDITS } from '@parley/contract'
import type { Words } from '../shape.ts'

const capabilities: Words['landing']['capabilities'] = [
  'negociar estancias de hotel',
  'encuestar a empresas y personas',
  'llamar a amigos y familiares',
  'conseguir clientes potenciales',
  'cambiar reservas',
  'enviar recordatorios',
  'reservar mesa en restaurantes',
]

export const landing: Words['landing'] = {
  welcome: `Te damos la bienvenida a ${BRAND.product}`,
  callsTo: `${BRAND.product} llama para`,
  capabilities,
  allCapabilities: `${BRAND.product} llama para ${capabilities.slice(0, -1).join(', ')} o ${capabilities.at(-1)}`,
  tagline: 'Una IA que hace tus llamadas.',
  pitch:
    'Di a quién llamar y para qué. Lee cada palabra mientras se dice y recibe el resultado cuando termina la llamada.',
  description: `${BRAND.product} es una IA que hace tus llamadas: di a quién llamar y para qué, mira cómo sucede y lee el resultado.`,
  google: 'Continuar con Google',
  apple: 'Continuar con Apple',
  start: 'Empieza gratis',
  signIn: 'Iniciar sesión',
  free: `${FREE_CREDITS} créditos gratis con cada cuenta nueva. Sin tarjeta.`,
  pause: 'Detener el texto en movimiento',
  play: 'Reanudar el texto en movimiento',
  contact: 'Contacto',
  privacy: 'Política de privacidad',
  terms: 'Condiciones del servicio',
  partOf: `Parte de ${BRAND.parentCompany}`,
  googleUnavailable: 'El acceso con Google no está disponible por ahora. Inténtalo más tarde o escribe a soporte.',
  authFailed: 'No se pudo comprobar tu identidad. Inténtalo de nuevo.',
}

export const exampleCall: Words['exampleCall'] = {
  label: 'Transcripción de una llamada de ejemplo',
  who: '+1 202 555 0110',
  purpose: 'Cambiar una reserva para cenar: a las 8, o hasta las 8:30',
  onTheLine: 'En llamada',
  ended: 'Llamada terminada',
  agent: 'Agente',
  callee: 'Destinatario',
  turns: [
    { isCallee: false, text: 'Hola, soy un asistente de IA y llamo de parte de Ana Ruiz.' },
    { isCallee: false, text: 'Llamo para cambiar una reserva para cenar. ¿Sería posible pasarla a las 8 de la noche?' },
    { isCallee: true, text: 'No, lo siento, no es posible.' },
    { isCallee: false, text: 'Entiendo. ¿Podría ofrecer alguna hora cercana?' },
    { isCallee: true, text: 'A las ocho y media sería posible.' },
    { isCallee: false, text: 'También nos va bien. Entonces, la reserva pasa a las 8:30 de la noche, ¿es correcto?' },
    { isCallee: true, text: 'Sí, correcto.' },
  ],
  outcome: 'Reserva cambiada a las 20:30',
  quote: '«A las ocho y media sería posible.»',
  met: 'Conseguido dentro de tus límites',
  seconds: 41,
  facts: '0 min 41 s · 1 crédito',
}
