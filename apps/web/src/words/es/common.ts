import type { Words } from '../shape.ts'

const ago = (n: number, one: string, many: string) => `hace ${n} ${n === 1 ? one : many}`

export const time: Words['time'] = {
  unknown: 'Fecha desconocida',
  justNow: 'Ahora mismo',
  minutesAgo: (n) => ago(n, 'minuto', 'minutos'),
  hoursAgo: (n) => ago(n, 'hora', 'horas'),
  daysAgo: (n) => ago(n, 'día', 'días'),
  // Non-breaking: number and unit stay on one line.
  duration: (minutes, seconds) => `${minutes}\u{a0}min ${seconds}\u{a0}s`,
}

export const common: Words['common'] = {
  cancel: 'Cancelar',
  close: 'Cerrar',
  copy: 'Copiar',
  copied: 'Copiado',
  save: 'Guardar',
  delete: 'Eliminar',
  error: 'Error',
  fillIn: 'Rellena todos los campos obligatorios.',
  urlInvalid: 'Escribe una dirección web completa, como https://example.com',
  outOfRange: (min, max) => `Escribe un número de ${min} a ${max}.`,
  loading: 'Cargando',
  optional: 'opcional',
  percent: (whole) => `${whole}\u{a0}%`,
  undo: 'Deshacer',
  show: 'Ver',
  tryAgain: 'Intentar de nuevo',
  notifications: 'Avisos ({hotkey})',
  notification: 'Aviso',
  showPassword: 'Mostrar la contraseña',
  hidePassword: 'Ocultar la contraseña',
  loadFailed: 'Esto no se pudo cargar',
  loadFailedHint: 'Revisa tu conexión e inténtalo de nuevo.',
  crashed: 'Algo salió mal en esta página',
  crashedHint: 'No se ha perdido nada de lo que guardaste. Carga la página de nuevo para seguir.',
  reload: 'Cargar de nuevo',
  credits: (n, text) => `${text} ${n === 1 ? 'crédito' : 'créditos'}`,
}
