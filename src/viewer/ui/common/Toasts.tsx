import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';

interface ToastItem {
  id: number;
  title: string;
  message: string;
}

/** Shows a notice. @returns a function that removes it early */
type ShowToast = (title: string, message: string) => () => void;

const ToastContext = createContext<ShowToast>(() => () => undefined);

/** Returns the function that shows a notice. Use it only for events that need a person's attention. */
export const useToast = (): ShowToast => useContext(ToastContext);

const SHOWN_FOR_MS = 12_000;
const SHOWN_AT_ONCE = 3;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [items, setItems] = useState<readonly ToastItem[]>([]);
  const shown = useRef(0);
  const drop = useCallback((id: number) => setItems((before) => before.filter((item) => item.id !== id)), []);
  const show = useCallback<ShowToast>(
    (title, message) => {
      shown.current += 1;
      const id = shown.current;
      setItems((before) => {
        const others = before.filter((item) => item.title !== title || item.message !== message);
        return [...others, { id, title, message }].slice(-SHOWN_AT_ONCE);
      });
      return () => drop(id);
    },
    [drop],
  );
  return (
    <ToastContext value={show}>
      <Toast.Provider duration={SHOWN_FOR_MS} swipeDirection="right" label="Notice">
        {children}
        {items.map(({ id, title, message }) => (
          <Toast.Root key={id} className="toast surface-solid" type="foreground" onOpenChange={(open) => !open && drop(id)}>
            <Toast.Title className="toast-title">{title}</Toast.Title>
            <Toast.Description className="toast-message">{message}</Toast.Description>
            <Toast.Close className="icon-button" aria-label="Close this notice">
              <X size={16} aria-hidden />
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className="toasts stack" />
      </Toast.Provider>
    </ToastContext>
  );
}
