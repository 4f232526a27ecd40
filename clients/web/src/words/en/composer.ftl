# The lines for typed orders.

composer-title = Typed orders
composer-order = Order { $number }
composer-placeholder = Type an order, or click on the map
composer-remove = Remove order { $number }
composer-completions = Completions
composer-possible = Possible
