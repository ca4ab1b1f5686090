import { BRAND } from '@parley/contract'
import type { Words } from '../shape.ts'

export const accounts: Words['accounts'] = {
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Contraseña nueva',
  confirmPassword: 'Confirma la contraseña',
  fullName: 'Nombre completo',
  or: 'o',
  goToLogin: 'Ir a iniciar sesión',
  tryAgain: 'Se produjo un error. Inténtalo de nuevo.',
  aside: {
    title: 'Lo que consigue una llamada',
    lines: [
      { isMet: true, text: 'Mesa para cuatro a las 7 de la tarde' },
      { isMet: true, text: 'Junto a la ventana, si queda libre' },
      { isMet: false, text: 'Menú vegetariano: devolverán la llamada' },
    ],
    met: 'Conseguido',
    open: 'Pendiente',
  },

  login: {
    title: 'Inicia sesión',
    lead: 'Tus llamadas están donde las dejaste.',
    submit: 'Iniciar sesión',
    submitting: 'Iniciando sesión...',
    forgot: '¿Olvidaste tu contraseña?',
    resend: '¿No recibiste el correo de verificación?',
    noAccount: `¿Es tu primera vez en ${BRAND.product}?`,
    register: 'Crea una cuenta',
    successTitle: 'Sesión iniciada',
    success: (name) => `¡Hola de nuevo, ${name}!`,
    failed: 'No se pudo iniciar sesión',
    network: 'Se produjo un error al iniciar sesión',
    passkey: 'Usar una llave de acceso',
    codes: {
      app: {
        label: 'Código de autenticación',
        hint: 'El de tu app de autenticación o uno de tus códigos de recuperación',
      },
      mail: { label: 'Código del correo', hint: 'Seis cifras, en el correo que acabamos de enviar a esta dirección' },
    },
    mailCodeAgain: 'Enviarme un código nuevo',
    verified: '¡Tu correo quedó verificado! Ya puedes iniciar sesión.',
    verifiedTitle: 'Correo verificado',
    verificationFailed: 'No se pudo verificar el correo. ',
    verificationErrors: {
      missing_token: 'Falta el código de verificación.',
      invalid_token: 'El enlace de verificación no es válido o ya se usó.',
      expired_token: 'El enlace de verificación ha caducado. Pide uno nuevo.',
      server_error: 'Hubo un error en el servidor. Inténtalo más tarde.',
    },
    verificationOther: 'Inténtalo de nuevo o escribe a soporte.',
  },

  register: {
    title: 'Crea tu cuenta',
    lead: (credits) => `Incluye ${credits} créditos gratis, unos ${credits} minutos de llamada.`,
    submit: 'Crear cuenta',
    submitting: 'Creando la cuenta...',
    passwordHint: (min) => `Al menos ${min} caracteres`,
    haveAccount: '¿Ya tienes una cuenta?',
    signIn: 'Inicia sesión',
    allRequired: 'Todos los campos son obligatorios',
    passwordShort: (min) => `La contraseña debe tener al menos ${min} caracteres`,
    passwordsDiffer: 'Las contraseñas no coinciden',
    emailInvalid: 'Escribe una dirección de correo válida',
    successTitle: 'Cuenta creada',
    success: 'Revisa tu correo para verificar tu cuenta.',
    mailed: (email) => `Enviamos un enlace a ${email}. Ábrelo para verificar tu correo y luego inicia sesión.`,
    mailAgain: 'Enviarlo de nuevo',
    failed: 'No se pudo crear la cuenta',
    network: 'Se produjo un error al crear la cuenta',
    agree: 'Al crear una cuenta aceptas las',
    and: 'y la',
    terms: 'Condiciones del servicio',
    privacy: 'Política de privacidad',
  },

  forgot: {
    title: 'Restablece tu contraseña',
    lead: 'Te enviaremos un enlace para elegir una nueva.',
    submit: 'Enviar enlace',
    submitting: 'Enviando...',
    sentTitle: 'Revisa tu correo',
    failed: 'No se pudo enviar el correo para restablecer la contraseña',
  },

  resend: {
    title: 'Reenviar el correo de verificación',
    lead: 'Escribe la dirección con la que te registraste y te enviaremos el enlace otra vez.',
    submit: 'Reenviar correo',
    submitting: 'Enviando...',
    sentTitle: 'Revisa tu correo',
    failed: 'No se pudo reenviar el correo de verificación',
  },

  reset: {
    title: 'Elige una contraseña nueva',
    submit: 'Cambiar contraseña',
    submitting: 'Cambiando...',
    noToken: 'Falta el código para restablecer la contraseña. Revisa el enlace de tu correo.',
    successTitle: 'Tu contraseña ha cambiado',
    failed: 'No se pudo cambiar la contraseña',
  },

  verify: {
    verifying: 'Verificando tu correo...',
    successTitle: '¡Correo verificado!',
    success: 'Tu dirección está confirmada. Ya puedes iniciar sesión.',
    continue: 'Continuar e iniciar sesión',
    failedTitle: 'No se pudo verificar',
    linkFailed: 'No se pudo verificar. Puede que el enlace haya caducado o no sea válido.',
    failed: 'No se pudo verificar. Inténtalo de nuevo.',
    noToken: 'Falta el código de verificación.',
    back: 'Volver al registro',
  },

  stop: {
    title: '¿Detener el cambio de tu correo?',
    lead: 'Alguien pidió pasar tu cuenta a otra dirección. Mientras no se confirme allí, nada ha cambiado.',
    submit: 'Detener el cambio',
    submitAll: 'Detenerlo y cerrar todas las sesiones',
    allHint: 'Si no fuiste tú, cierra todas las sesiones: te enviamos un enlace para elegir otra contraseña.',
    stoppedTitle: 'El cambio se detuvo',
    stopped: 'Tu correo sigue siendo el mismo.',
    stoppedAndEnded:
      'Tu correo sigue siendo el mismo y se cerraron todas las sesiones. Abre el enlace que te enviamos para elegir otra contraseña.',
    failed: 'No se pudo detener el cambio.',
  },

  greeting: {
    back: (name) => `Hola de nuevo, ${name}`,
    first: (name) => `Hola, ${name}`,
    countdown: (seconds) => `Tu panel se abre en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}`,
    progress: 'Tiempo hasta que se abra tu panel',
    now: 'Abrirlo ya',
  },

  apple: {
    notIos: 'El acceso con Apple solo está disponible en dispositivos iOS',
    failed: (reason) => `El acceso con Apple falló: ${reason}`,
    wrapped: (reason) => `El acceso con Apple falló: ${reason}`,
    simulator: 'El acceso con Apple no está disponible en el simulador de iOS. Pruébalo en un dispositivo físico.',
    refused: 'No se pudo comprobar tu identidad. Inténtalo de nuevo.',
  },
}
