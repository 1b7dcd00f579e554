import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';

interface PageDialogProps {
  title: string;
  /** A description in a sentence or two. */
  description: ReactNode;
  /** Classes in addition to `dialog`. */
  className?: string | undefined;
  /** Moves the focus; without it, the first focusable element gets it. */
  onOpenAutoFocus?: (event: Event) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog over the page, closed by its button, by Escape or by a click beside it. */
export function PageDialog({ title, description, className, onOpenAutoFocus, onClose, children }: PageDialogProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className={className ? `dialog surface-solid ${className}` : 'dialog surface-solid'}
          {...(onOpenAutoFocus ? { onOpenAutoFocus } : {})}
        >
          <Dialog.Title className="card-title">{title}</Dialog.Title>
          <Dialog.Description className="card-text">{description}</Dialog.Description>
          {children}
          <Dialog.Close className="icon-button dialog-close" aria-label="Close">
            <X size={18} aria-hidden />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
