# The list of possible orders.

offers-chosen-of = { $chosen } of { $count }
offers-title = Possible orders
offers-about = About { $piece }
offers-show-all = Show all orders
offers-find = Find an order
offers-none = No orders are possible here.
offers-more = { $count } more
offers-remove = Remove { $name }
offers-fill-in = Fill in the order
offers-add-to-sheet = Add to the sheet
offers-submit = Submit this order
offers-unfinished = Unfinished order
offers-gone = This order is no longer possible.
offers-not-submitted = This order is not submitted.
offers-no-value = (no { $label })
offers-select-none = None
offers-select-all = All
offers-preference = Select the best choice first: the order is the order of your clicks.
offers-which = Which
